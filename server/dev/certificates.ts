import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { type Instant, later } from '../kernel/clock.ts'
import type { Ids } from '../kernel/ids.ts'
import * as der from '../pki/der-writer.ts'
import { writePem } from '../pki/pem.ts'

/** A certificate and its private key, both PEM. */
export type KeyPair = { certificate: string; key: string }

/** What a certificate is for. The authority signs; the others prove who a server or a client is. */
type Purpose = 'authority' | 'server' | 'client'

/** The contents of a certificate. */
export type CertificateOrder = {
  purpose: Purpose
  commonName: string
  /** DNS names and IP addresses. */
  names: readonly string[]
  notBefore: Instant
  lifetimeMs: number
}

const oids = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  organizationName: '2.5.4.10',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const

/** Bits of the key usage extension (RFC 5280 §4.2.1.3). */
const usage = { digitalSignature: 0, keyCertSign: 5, cRLSign: 6 } as const

/** Clocks of clients may be behind ours. */
const backdatingMs = 5 * 60_000

/** The authority that signs: its name and its key. */
type Issuer = { commonName: string; key: string }

/** Issues a certificate on a new P-256 key; without an issuer it signs itself. */
export function issueCertificate(ids: Pick<Ids, 'bytes'>, order: CertificateOrder, issuer?: Issuer): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signingKey = issuer ? createPrivateKey(issuer.key) : privateKey
  const algorithm = der.sequence(der.oid(oids.ecdsaWithSha256))
  const body = der.sequence(
    der.explicitTag(0, der.integer(2)),
    der.integer(serialNumber(ids)),
    algorithm,
    distinguishedName(issuer?.commonName ?? order.commonName),
    validity(order),
    distinguishedName(order.commonName),
    subjectPublicKeyInfo(publicKey),
    der.explicitTag(3, extensions(order, publicKey, createPublicKey(signingKey))),
  )
  const signature = sign('sha256', body, signingKey)
  const certificate = der.sequence(body, algorithm, der.bitString(signature))
  return {
    certificate: writePem('CERTIFICATE', certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** Positive, and 127 bits of it random (RFC 5280 §4.1.2.2). */
const serialNumber = (ids: Pick<Ids, 'bytes'>): bigint =>
  BigInt.asUintN(127, BigInt(`0x${ids.bytes(16).toString('hex')}`)) | 1n

const distinguishedName = (commonName: string): Buffer =>
  der.sequence(attribute(oids.organizationName, 'Holdfast dev mode'), attribute(oids.commonName, commonName))

const attribute = (type: string, value: string): Buffer => der.setOf(der.sequence(der.oid(type), der.utf8String(value)))

const validity = ({ notBefore, lifetimeMs }: CertificateOrder): Buffer =>
  der.sequence(der.time(new Date(notBefore - backdatingMs)), der.time(new Date(later(notBefore, lifetimeMs))))

const subjectPublicKeyInfo = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })

/** The key's bits without their wrapping: P-256 points take the last 65 bytes of the SubjectPublicKeyInfo. */
const keyIdentifier = (key: KeyObject): Buffer =>
  createHash('sha1').update(subjectPublicKeyInfo(key).subarray(-65)).digest()

function extensions({ purpose, names }: CertificateOrder, subject: KeyObject, issuer: KeyObject): Buffer {
  const isAuthority = purpose === 'authority'
  const list = [
    extension(
      oids.basicConstraints,
      isAuthority ? der.sequence(der.boolean(true), der.integer(0)) : der.sequence(),
      true,
    ),
    extension(
      oids.keyUsage,
      der.namedBits(isAuthority ? [usage.keyCertSign, usage.cRLSign] : [usage.digitalSignature]),
      true,
    ),
    extension(oids.subjectKeyIdentifier, der.octetString(keyIdentifier(subject))),
  ]
  if (!isAuthority) {
    const role = purpose === 'server' ? oids.serverAuth : oids.clientAuth
    list.push(extension(oids.extKeyUsage, der.sequence(der.oid(role))))
    list.push(extension(oids.authorityKeyIdentifier, der.sequence(der.implicitTag(0, keyIdentifier(issuer)))))
  }
  if (names.length > 0) list.push(extension(oids.subjectAltName, der.sequence(...names.map(generalName))))
  return der.sequence(...list)
}

const extension = (id: string, value: Uint8Array, critical = false): Buffer =>
  der.sequence(der.oid(id), ...(critical ? [der.boolean(true)] : []), der.octetString(value))

/** A name of the subject (RFC 5280 §4.2.1.6): [7] for addresses, [2] for host names. */
function generalName(name: string): Buffer {
  if (ipaddr.isValid(name)) return der.implicitTag(7, Buffer.from(ipaddr.parse(name).toByteArray()))
  return der.implicitTag(2, Buffer.from(name, 'latin1'))
}
