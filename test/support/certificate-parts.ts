import { constants, createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import * as der from '../../server/pki/der-writer.ts'
import { ia5String, printableString } from './der-values.ts'

/** The kinds of key a test can ask for; the weak ones exist to be refused. */
export type KeyKind =
  | 'p256'
  | 'p384'
  | 'p521'
  | 'secp256k1'
  | 'ed25519'
  | 'rsa1024'
  | 'rsa2048'
  | 'rsa3072'
  | 'rsa-pss2048'

/** How a signer signs; the default follows its key (SHA-256; none for Ed25519). */
export type SignWith = 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512' | 'pss-sha256' | 'pss-sha384' | 'pss-sha512'

/** One name attribute: type (short name or OID), value, and the string type that carries it. */
export type NameAttribute = readonly [type: string, value: string, encode?: (text: string) => Buffer]

/** Subtrees of a name-constraints extension. */
export type Subtrees = {
  dns?: readonly string[]
  email?: readonly string[]
  uri?: readonly string[]
  /** `10.0.0.0/8` or `2001:db8::/32`. */
  ip?: readonly string[]
  directory?: readonly (readonly NameAttribute[])[]
  /** Whole GeneralName values. */
  raw?: readonly Uint8Array[]
}

/** What a subjectAltName can hold. */
export type AlternativeNames = {
  dns?: readonly string[]
  emails?: readonly string[]
  uris?: readonly string[]
  ips?: readonly string[]
  directoryNames?: readonly (readonly NameAttribute[])[]
  otherNames?: readonly { oid: string; value: Uint8Array }[]
}

const attributeTypes: Record<string, string> = {
  CN: '2.5.4.3',
  serialNumber: '2.5.4.5',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  DC: '0.9.2342.19200300.100.1.25',
  UID: '0.9.2342.19200300.100.1.1',
  emailAddress: '1.2.840.113549.1.9.1',
}

const attributeStrings: Record<string, (text: string) => Buffer> = {
  C: printableString,
  serialNumber: printableString,
  DC: ia5String,
  emailAddress: ia5String,
}

/** An encoded distinguished name, one attribute per RDN. */
export function encodeName(attributes: readonly NameAttribute[]): Buffer {
  const rdns = attributes.map(([type, value, encode]) => {
    const text = encode ?? attributeStrings[type] ?? der.utf8String
    return der.setOf(der.sequence(der.oid(attributeTypes[type] ?? type), text(value)))
  })
  return der.sequence(...rdns)
}

/** The GeneralNames of a subjectAltName, one after another. */
export function alternativeNames(names: AlternativeNames): Buffer[] {
  const ascii = (number: number) => (text: string) => der.implicitTag(number, Buffer.from(text, 'latin1'))
  return [
    ...(names.otherNames ?? []).map((other) => der.explicitTag(0, der.oid(other.oid), der.explicitTag(0, other.value))),
    ...(names.emails ?? []).map(ascii(1)),
    ...(names.dns ?? []).map(ascii(2)),
    ...(names.directoryNames ?? []).map((name) => der.explicitTag(4, encodeName(name))),
    ...(names.uris ?? []).map(ascii(6)),
    ...(names.ips ?? []).map((text) => der.implicitTag(7, addressBytes(text))),
  ]
}

/** The GeneralSubtrees of one side of a name-constraints extension. */
export function subtrees(trees: Subtrees): Buffer[] {
  const ranges = (trees.ip ?? []).map((text) => der.implicitTag(7, rangeBytes(text)))
  const names = alternativeNames({
    dns: trees.dns,
    emails: trees.email,
    uris: trees.uri,
    directoryNames: trees.directory,
  })
  return [...names, ...ranges, ...(trees.raw ?? [])].map((base) => der.sequence(base))
}

function rangeBytes(text: string): Buffer {
  const [address = '', bits = '0'] = text.split('/')
  const base = addressBytes(address)
  const mask = Buffer.alloc(base.length)
  for (let bit = 0; bit < Number(bits); bit++) mask[bit >> 3] = (mask[bit >> 3] ?? 0) | (0x80 >> (bit & 7))
  return Buffer.concat([base, mask])
}

/** The bytes of an IPv4 or IPv6 address. */
function addressBytes(text: string): Buffer {
  if (!text.includes(':')) return Buffer.from(text.split('.').map(Number))
  const [head = '', tail] = text.split('::')
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'))
  const [front, back] = [groups(head), groups(tail ?? '')]
  const all = [...front, ...new Array<string>(8 - front.length - back.length).fill('0'), ...back]
  return Buffer.concat(all.map((group) => Buffer.from(group.padStart(4, '0'), 'hex')))
}

/** A fresh private key. */
export function newKey(kind: KeyKind): KeyObject {
  const curves: Partial<Record<KeyKind, string>> = {
    p256: 'P-256',
    p384: 'P-384',
    p521: 'P-521',
    secp256k1: 'secp256k1',
  }
  const namedCurve = curves[kind]
  if (namedCurve !== undefined) return generateKeyPairSync('ec', { namedCurve }).privateKey
  if (kind === 'ed25519') return generateKeyPairSync('ed25519').privateKey
  if (kind === 'rsa-pss2048') return generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey
  return generateKeyPairSync('rsa', { modulusLength: Number(kind.slice(3)) }).privateKey
}

/** The SubjectPublicKeyInfo of a private key. */
export const spkiOf = (key: KeyObject): Buffer => createPublicKey(key).export({ type: 'spki', format: 'der' })

/** SHA-1 of the key bits, as RFC 5280 §4.2.1.2 suggests for key identifiers. */
export function keyIdOf(spki: Buffer): Buffer {
  // The BIT STRING is the last value: find it from the outer and the algorithm header.
  const outer = headerLength(spki, 0)
  const algorithm = outer + headerLength(spki, outer) + contentLength(spki, outer)
  return createHash('sha1')
    .update(spki.subarray(algorithm + headerLength(spki, algorithm) + 1))
    .digest()
}

function headerLength(bytes: Buffer, at: number): number {
  const first = bytes[at + 1] ?? 0
  return first < 0x80 ? 2 : 2 + (first & 0x7f)
}

function contentLength(bytes: Buffer, at: number): number {
  const first = bytes[at + 1] ?? 0
  return first < 0x80 ? first : bytes.readUIntBE(at + 2, first & 0x7f)
}

/** An AlgorithmIdentifier and the signing function behind it. */
type Signer = { identifier: Buffer; sign: (data: Uint8Array) => Buffer }

const ecdsa: Record<string, string> = { sha1: '1', sha224: '3.1', sha256: '3.2', sha384: '3.3', sha512: '3.4' }
const rsa: Record<string, string> = { sha1: '5', sha224: '14', sha256: '11', sha384: '12', sha512: '13' }
const hashOid: Record<string, string> = {
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
}
const saltLength: Record<string, number> = { sha256: 32, sha384: 48, sha512: 64 }

/** How a private key signs certificates, CRLs and OCSP answers. */
export function signerFor(key: KeyObject, signWith?: SignWith): Signer {
  const type = key.asymmetricKeyType
  if (type === 'ed25519')
    return { identifier: der.sequence(der.oid('1.3.101.112')), sign: (data) => sign(null, data, key) }
  const hash = (signWith ?? 'sha256').replace('pss-', '')
  if (type === 'ec') {
    const identifier = der.sequence(der.oid(`1.2.840.10045.4.${ecdsa[hash]}`))
    return { identifier, sign: (data) => sign(hash, data, key) }
  }
  if (type === 'rsa-pss' || signWith?.startsWith('pss-')) return pssSigner(key, hash)
  const identifier = der.sequence(der.oid(`1.2.840.113549.1.1.${rsa[hash]}`), der.nullValue())
  return { identifier, sign: (data) => sign(hash, data, key) }
}

function pssSigner(key: KeyObject, hash: string): Signer {
  const digest = der.sequence(der.oid(hashOid[hash] ?? ''), der.nullValue())
  const parameters = der.sequence(
    der.explicitTag(0, digest),
    der.explicitTag(1, der.sequence(der.oid('1.2.840.113549.1.1.8'), digest)),
    der.explicitTag(2, der.integer(saltLength[hash] ?? 32)),
  )
  return {
    identifier: der.sequence(der.oid('1.2.840.113549.1.1.10'), parameters),
    sign: (data) =>
      sign(hash, data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: saltLength[hash] ?? 32 }),
  }
}
