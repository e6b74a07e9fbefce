import { hash } from 'node:crypto'
import type { Certificate } from '../certificates/certificate.ts'
import type { Name } from '../certificates/distinguished-names.ts'
import * as der from '../der-writer.ts'

/** Hashes a CertID may use. SHA-1 is among them: every responder knows it, and no security depends on it here. */
export type CertIdHash = 'sha1' | 'sha256' | 'sha384' | 'sha512'

const hashOids: Record<CertIdHash, string> = {
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
}

/** The hash behind an identifier, if a CertID may use it. */
export const certIdHashOf = (oid: string): CertIdHash | undefined =>
  (Object.keys(hashOids) as CertIdHash[]).find((name) => hashOids[name] === oid)

/** How an OCSP message names an issuer: hashes of its name, in one of its spellings, and of its key (RFC 6960 §4.1.1). */
export const issuerHashes = (spelling: Name, issuer: Certificate, by: CertIdHash): { name: Buffer; key: Buffer } => ({
  name: hash(by, spelling.der, 'buffer'),
  key: hash(by, issuer.publicKey.keyBytes, 'buffer'),
})

/**
 * An unsigned request about one certificate (RFC 6960 §4.1), which names its issuer as the certificate spells it. It has
 * no nonce: answers that are made in advance, as most are, could not repeat one.
 */
export function writeOcspRequest(leaf: Certificate, issuer: Certificate, by: CertIdHash = 'sha1'): Buffer {
  const hashes = issuerHashes(leaf.issuer, issuer, by)
  const certId = der.sequence(
    der.sequence(der.oid(hashOids[by]), der.nullValue()),
    der.octetString(hashes.name),
    der.octetString(hashes.key),
    der.tlv(der.tag.integer, leaf.serial),
  )
  const requests = der.sequence(der.sequence(certId))
  return der.sequence(der.sequence(requests))
}

/** The key under which an answer about a certificate may be remembered: issuer and serial number (RFC 6960 §4.1.1). */
export function certIdKey(leaf: Certificate, issuer: Certificate): string {
  const hashes = issuerHashes(leaf.issuer, issuer, 'sha256')
  return `${hashes.name.toString('hex')}:${hashes.key.toString('hex')}:${leaf.serial.toString('hex')}`
}
