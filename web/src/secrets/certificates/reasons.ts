/** What a check that failed means, in a word for lists and in a sentence for the head of an explanation. */
const reasons: Readonly<Record<string, readonly [word: string, sentence: string]>> = {
  validity: ['expired or not yet valid', 'the certificate is out of its time'],
  revoked: ['revoked', 'the certificate is revoked'],
  'no-issuer': ['no path to a CA', 'no role trusts an issuer of the certificate'],
  role: ['no role fits', 'no role fits the certificate'],
  signature: ['signature wrong', 'a signature in the chain is wrong'],
  purpose: ['not for clients', 'the certificate is not meant for TLS clients'],
  'key-usage': ['key usage', 'the key must not be used to log in'],
  'ca-key-usage': ['CA key usage', 'a CA in the chain must not issue certificates'],
  'not-a-ca': ['issuer is no CA', 'an issuer in the chain is no CA'],
  'path-length': ['chain too long', 'a CA in the chain allows fewer CAs below it'],
  depth: ['chain too long', 'the chain is too long'],
  'name-constraints': ['name constraint', 'a CA in the chain may not issue for this name'],
  'critical-extension': ['unknown extension', 'an extension in the chain is critical and unknown'],
  key: ['key too weak', 'a key in the chain is not accepted'],
  algorithm: ['algorithm', 'a signature algorithm in the chain is not accepted'],
  policies: ['certificate policies', 'the certificate policies do not fit'],
  allowed_names: ['name does not match', 'the name on the certificate is not allowed'],
  allowed_common_names: ['name does not match', 'the name on the certificate is not allowed'],
  allowed_dns_sans: ['DNS name does not match', 'the DNS names on the certificate are not allowed'],
  allowed_email_sans: ['e-mail does not match', 'the e-mail addresses on the certificate are not allowed'],
  allowed_uri_sans: ['URI does not match', 'the URIs on the certificate are not allowed'],
  allowed_organizational_units: ['unit does not match', 'the organizational unit is not allowed'],
  allowed_organizations: ['organization does not match', 'the organization is not allowed'],
  required_extensions: ['extension missing', 'a required extension is missing'],
  token_bound_cidrs: ['address', 'logins from this address are not allowed'],
  ocsp: ['OCSP', 'the OCSP status does not allow it'],
  token: ['no token', 'the role cannot issue a token'],
  token_policies: ['no token', 'the role grants a policy that no login can get'],
  platform_team: ['no token', 'the team of the role is gone'],
  alias_source: ['no name of the holder', 'the certificate lacks the name of its holder'],
  identity: ['identity disabled', 'the identity is disabled'],
  'no-tls': ['no TLS', 'the request did not come over TLS'],
  'no-certificate': ['no certificate', 'no certificate was sent'],
  unreadable: ['unreadable', 'the certificate could not be read'],
}

/** A few words for a list. */
export const reasonWord = (check: string): string => reasons[check]?.[0] ?? check.replaceAll(/[-_]/g, ' ')

/** The end of "Refused: …". */
export const reasonSentence = (check: string): string => reasons[check]?.[1] ?? `${reasonWord(check)} failed`

/** The name by which people know a certificate: the common name of its subject, else what there is. */
export function shortName(subject: string): string {
  const parts = subject.split(/(?<!\\),\s*|\s*\+\s*/)
  const found = parts.find((part) => /^CN=/i.test(part)) ?? parts[0] ?? ''
  return found.replace(/^[A-Z.\d]+=/i, '').replaceAll('\\', '') || 'without a name'
}

/** The subject without that name. */
export const restOfName = (subject: string): string =>
  subject
    .split(/(?<!\\),\s*/)
    .filter((part) => !/^CN=/i.test(part))
    .join(', ')

/** Hex as people compare it: its beginning and its end. */
export const shortDigest = (hex: string): string => {
  const pairs = hex.match(/../g) ?? []
  return pairs.length < 8 ? hex : `${pairs.slice(0, 3).join(':')}:…:${pairs.slice(-2).join(':')}`
}

/** A serial number, cut in its middle if it is long. */
export const shortSerial = (serial: string): string =>
  serial.length <= 14 ? serial : `${serial.slice(0, 6)}…${serial.slice(-4)}`

/** How a span until the end of a certificate reads, and how bad it is. */
export function expiry(daysLeft: number): { readonly text: string; readonly tone: 'ok' | 'warn' | 'bad' } {
  if (daysLeft < 0) return { text: daysLeft === -1 ? 'ended yesterday' : `ended ${-daysLeft} days ago`, tone: 'bad' }
  if (daysLeft < 30) return { text: daysLeft === 0 ? 'ends today' : `ends in ${daysLeft} days`, tone: 'warn' }
  if (daysLeft < 365) return { text: `${Math.round(daysLeft / 30.4)} mo left`, tone: 'ok' }
  const months = Math.round(daysLeft / 30.4)
  const rest = months % 12
  return { text: `${Math.floor(months / 12)} y${rest > 0 ? ` ${rest} mo` : ''} left`, tone: 'ok' }
}

/** Whole days until then. */
export const daysUntil = (instant: string, now: number = Date.now()): number =>
  Math.floor((Date.parse(instant) - now) / 86_400_000)
