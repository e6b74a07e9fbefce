/** The header in which a well-known family of proxies tells what it knows of its client's certificate; in lower case. */
export const xfccHeader = 'x-forwarded-client-cert'

/** Its keys for the certificate of the client, for that with its intermediates, and for its SHA-256; in lower case. */
export const xfccKeys = { leaf: 'cert', chain: 'chain', digest: 'hash' } as const

/** What proxies send in a header of their own if the client has shown no certificate: some, the name of a variable. */
export const meansNoCertificate = (text: string): boolean => /^(?:\(null\)|\{[\w.]+\})?$/.test(text.trim())
