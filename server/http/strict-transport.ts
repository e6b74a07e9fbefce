/** The value of `Strict-Transport-Security` on TLS listeners: browsers never ask this host in clear for a year. */
export const strictTransport = 'max-age=31536000; includeSubDomains'
