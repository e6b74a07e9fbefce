import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { type Instant, instant, toIso } from '../kernel/clock.ts'
import { textOf } from '../kernel/failure.ts'
import { systemCode } from '../kernel/system-errors.ts'
import type { TlsFiles } from './config.ts'
import type { WhereOf } from './config-rules.ts'
import type { Problem } from './problem.ts'

/** Opens the TLS files once, so that a wrong pair is found before anything is started. */
export function tlsFileProblems({ certFile, keyFile }: TlsFiles, whereOf: WhereOf): Problem[] {
  const certificate = readAndParse(certFile, 'certificate', (pem) => new X509Certificate(pem))
  const key = readAndParse(keyFile, 'private key', (pem) => createPrivateKey(pem))
  if ('fault' in certificate || 'fault' in key) {
    return [
      ...('fault' in certificate ? [{ where: whereOf('tls.cert_file'), ...certificate.fault }] : []),
      ...('fault' in key ? [{ where: whereOf('tls.key_file'), ...key.fault }] : []),
    ]
  }
  if (!certificate.value.checkPrivateKey(key.value)) {
    const fix = 'Name the key of that certificate. If its file holds several, the server’s own comes first.'
    const text = `the key does not belong to the certificate in ${certFile}`
    return [{ where: whereOf('tls.key_file'), text, fix }]
  }
  return keyPairProblems(certificate.pem, key.pem).map((why) => ({
    where: whereOf('tls.cert_file'),
    text: `${certFile} is not usable: ${why}`,
    fix: 'It holds the server certificate and its intermediates as PEM, each of them whole and with a strong key.',
  }))
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

/** Why a listener could not use the files. The certificates after the first one are checked as well. */
function keyPairProblems(cert: Buffer, key: Buffer): string[] {
  try {
    createSecureContext({ cert, key })
    return []
  } catch (thrown) {
    return [textOf(thrown)]
  }
}

type Fault = Pick<Problem, 'text' | 'fix'>

function readAndParse<T>(
  file: string,
  what: string,
  parse: (pem: Buffer) => T,
): { pem: Buffer; value: T } | { fault: Fault } {
  try {
    const pem = readFileSync(file)
    return { pem, value: parse(pem) }
  } catch (thrown) {
    return { fault: faultOf(file, what, thrown) }
  }
}

function faultOf(file: string, what: string, thrown: unknown): Fault {
  switch (systemCode(thrown)) {
    case 'ENOENT':
      return { text: `${file} does not exist`, fix: 'Check the path.' }
    case 'EACCES':
      return { text: `${file} cannot be read`, fix: 'Let the user of the server read it.' }
    case 'EISDIR':
      return { text: `${file} is a directory`, fix: 'Name the file in it.' }
    case 'ERR_MISSING_PASSPHRASE':
    case 'ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED':
      return {
        text: `${file} is locked with a passphrase`,
        fix: 'Store the key without one: openssl pkey -in … -out …',
      }
    default:
      return { text: `${file} is not usable: ${textOf(thrown)}`, fix: `It must hold a ${what} as PEM.` }
  }
}
