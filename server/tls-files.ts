import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { TlsFiles } from './config/config.ts'
import { type Instant, instant, toIso } from './kernel/clock.ts'
import { failure, textOf } from './kernel/failure.ts'
import { systemCode } from './kernel/system-errors.ts'

/** The code of the failure by which unusable files are told apart from others. */
export const unusableTls = 'tls.unusable'

/** Reads the certificate and the key of the server; what cannot be used is refused with what to do about each file. */
export function readTlsFiles({ certFile, keyFile }: TlsFiles): { cert: string; key: string } {
  const faults: string[] = []
  const read = <T>(setting: string, file: string, what: Content, parse: (pem: string) => T) => {
    try {
      const pem = readFileSync(file, 'utf8')
      requireBlock(pem, what)
      return { pem, parsed: parse(pem) }
    } catch (thrown) {
      const advice = advices[systemCode(thrown)] ?? `is not usable: ${textOf(thrown)}. It must hold a ${what} as PEM.`
      faults.push(`${setting}: ${file} ${advice}`)
      return undefined
    }
  }
  const cert = read('tls.cert_file', certFile, 'certificate', (pem) => new X509Certificate(pem))
  const key = read('tls.key_file', keyFile, 'private key', (pem) => createPrivateKey(pem))
  if (!cert || !key) throw failure('invalid', unusableTls, faults.join(' '))
  if (!cert.parsed.checkPrivateKey(key.parsed)) {
    const advice = 'Name the key of that certificate. If its file holds several, the server’s own comes first.'
    const text = `tls.key_file: the key does not belong to the certificate in ${certFile}. ${advice}`
    throw failure('invalid', unusableTls, text)
  }
  requireUsable(certFile, cert.pem, key.pem)
  return { cert: cert.pem, key: key.pem }
}

/** What each of the two files holds, and how that begins. */
const blocks = {
  certificate: /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/,
  'private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
} as const

type Content = keyof typeof blocks

/** The library tells neither what a file holds nor what it should hold. */
function requireBlock(pem: string, what: Content): void {
  if (blocks[what].test(pem)) return
  const other = what === 'certificate' ? 'private key' : 'certificate'
  throw new Error(blocks[other].test(pem) ? `it holds a ${other}` : 'it holds no PEM')
}

const locked = 'is locked with a passphrase. Store the key without one: openssl pkey -in … -out …'

const advices: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist. Check the path.',
  EACCES: 'cannot be read. Let the user of the server read it.',
  EISDIR: 'is a directory. Name the file in it.',
  ERR_MISSING_PASSPHRASE: locked,
  ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED: locked,
}

/** The certificates after the first one are read by TLS only. */
function requireUsable(certFile: string, cert: string, key: string): void {
  try {
    createSecureContext({ cert, key })
  } catch (cause) {
    const advice = 'It holds the server certificate and its intermediates as PEM, each whole and with a strong key.'
    const text = `tls.cert_file: ${certFile} is not usable: ${textOf(cause)}. ${advice}`
    throw failure('invalid', unusableTls, text, { cause })
  }
}

/** From when until when a certificate is valid. */
export type Validity = { readonly notBefore: Instant; readonly notAfter: Instant }

/** The validity of the first certificate, which is the server's own. */
export function validityOf(pem: string | Buffer): Validity {
  const { validFromDate, validToDate } = new X509Certificate(pem)
  return { notBefore: instant(validFromDate.getTime()), notAfter: instant(validToDate.getTime()) }
}

/** Why clients refuse a certificate now, to follow the name of its file; undefined while it is valid. */
export function validityProblem({ notBefore, notAfter }: Validity, now: Instant): string | undefined {
  if (now > notAfter) return `expired at ${toIso(notAfter)}`
  return now < notBefore ? `is not valid before ${toIso(notBefore)}` : undefined
}
