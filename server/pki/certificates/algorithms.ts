import { type Element, encoded, isNull, openSequence, readNull, readOid, readSmallInteger, unreadable } from '../der.ts'
import { tag } from '../der-writer.ts'
import type { KeyKind } from './public-key.ts'

/** Hashes a signature may use. */
type Hash = 'sha256' | 'sha384' | 'sha512'

/** A signature algorithm on the allow-list. */
export type SignatureScheme =
  | { readonly kind: 'rsa' | 'ecdsa'; readonly hash: Hash }
  | { readonly kind: 'rsa-pss'; readonly hash: Hash; readonly saltLength: number }
  | { readonly kind: 'ed25519' }

/** An AlgorithmIdentifier: its encoding, and the scheme it names or why it is refused. */
export type SignatureAlgorithm = {
  readonly der: Buffer
  readonly scheme: SignatureScheme | undefined
  readonly problem: string
}

const schemesByOid: ReadonlyMap<string, SignatureScheme> = new Map<string, SignatureScheme>([
  ['1.2.840.113549.1.1.11', { kind: 'rsa', hash: 'sha256' }],
  ['1.2.840.113549.1.1.12', { kind: 'rsa', hash: 'sha384' }],
  ['1.2.840.113549.1.1.13', { kind: 'rsa', hash: 'sha512' }],
  ['1.2.840.10045.4.3.2', { kind: 'ecdsa', hash: 'sha256' }],
  ['1.2.840.10045.4.3.3', { kind: 'ecdsa', hash: 'sha384' }],
  ['1.2.840.10045.4.3.4', { kind: 'ecdsa', hash: 'sha512' }],
  ['1.3.101.112', { kind: 'ed25519' }],
])

const pssOid = '1.2.840.113549.1.1.10'
const maskOid = '1.2.840.113549.1.1.8'

const hashes: ReadonlyMap<string, Hash> = new Map<string, Hash>([
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
])

/** Named so that a refusal can say what was used. */
const refusedAlgorithms: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.1.4', 'MD5 with RSA'],
  ['1.2.840.113549.1.1.5', 'SHA-1 with RSA'],
  ['1.2.840.113549.1.1.14', 'SHA-224 with RSA'],
  ['1.2.840.10045.4.1', 'SHA-1 with ECDSA'],
  ['1.2.840.10045.4.3.1', 'SHA-224 with ECDSA'],
  ['1.2.840.10040.4.3', 'SHA-1 with DSA'],
  ['2.16.840.1.101.3.4.3.2', 'SHA-256 with DSA'],
])

/**
 * Reads the AlgorithmIdentifier of a signature. An algorithm off the allow-list is not an error here: verification
 * refuses it.
 */
export function readSignatureAlgorithm(element: Element): SignatureAlgorithm {
  const parts = openSequence(element, 'The signature algorithm')
  const oid = readOid(parts.take(tag.oid), 'The signature algorithm')
  const parameters = parts.done ? undefined : parts.takeAny()
  parts.finish()
  const der = encoded(element)
  const scheme = oid === pssOid ? readPss(parameters) : withPlainParameters(schemesByOid.get(oid), parameters)
  if (scheme !== undefined) return { der, scheme, problem: '' }
  const name = refusedAlgorithms.get(oid) ?? (oid === pssOid ? 'RSA-PSS with parameters off the allow-list' : oid)
  return { der, scheme, problem: name }
}

/**
 * Parameters of RSA are NULL or absent, those of the others absent (RFC 4055 §5, RFC 5758 §3.2, RFC 8410 §3). But Java 11
 * writes NULL for ECDSA as well (pyca/cryptography#9002), and what it issued lasts for years.
 */
function withPlainParameters(scheme: SignatureScheme | undefined, parameters: Element | undefined) {
  if (parameters === undefined) return scheme
  return scheme?.kind !== 'ed25519' && isNull(parameters) ? scheme : undefined
}

/**
 * RSASSA-PSS (RFC 4055 §3.1): one hash for the message and the mask, a salt at least as long as the hash (some tools
 * use the longest that fits). The defaults of the structure mean SHA-1, so hash and mask must be written out.
 */
function readPss(parameters: Element | undefined): SignatureScheme | undefined {
  if (parameters === undefined) return undefined
  const parts = openSequence(parameters, 'The set of RSA-PSS parameters')
  const hash = parts.takeExplicit(0, tag.sequence)
  const mask = parts.takeExplicit(1, tag.sequence)
  const salt = parts.takeExplicit(2, tag.integer)
  const trailer = parts.takeExplicit(3, tag.integer)
  parts.finish()
  if (trailer !== undefined && readSmallInteger(trailer, 'The RSA-PSS trailer') !== 1) return undefined
  const digest = hash && readHash(hash)
  const maskDigest = mask && readMaskHash(mask)
  const saltLength = salt === undefined ? 20 : readSmallInteger(salt, 'The RSA-PSS salt length')
  if (digest === undefined || digest !== maskDigest || saltLength < hashBytes[digest] || saltLength > mostSaltBytes)
    return undefined
  return { kind: 'rsa-pss', hash: digest, saltLength }
}

/** The longest salt that fits into a signature of the largest key. */
const mostSaltBytes = 1024

const hashBytes: Record<Hash, number> = { sha256: 32, sha384: 48, sha512: 64 }

function readHash(element: Element): Hash | undefined {
  const parts = openSequence(element, 'The hash algorithm')
  const oid = readOid(parts.take(tag.oid), 'The hash algorithm')
  if (!parts.done) readNull(parts.takeAny(), 'The parameter of the hash')
  parts.finish()
  return hashes.get(oid)
}

function readMaskHash(element: Element): Hash | undefined {
  const parts = openSequence(element, 'The mask algorithm')
  if (readOid(parts.take(tag.oid), 'The mask algorithm') !== maskOid)
    throw unreadable('algorithm', 'The mask algorithm is unknown.')
  const hash = readHash(parts.take(tag.sequence))
  parts.finish()
  return hash
}

/** Smallest and largest RSA key; a huge one would only cost time. */
const rsaBits = { least: 2048, most: 8192 }
/** Every exponent in use fits; large ones make each check slow. */
const mostExponentBits = 33

/** Why a public key may not be used, or undefined if it may. */
export function keyProblem(key: KeyKind): string | undefined {
  switch (key.kind) {
    case 'unsupported':
      return key.problem
    case 'ec':
    case 'ed25519':
      return undefined
    default:
      if (key.bits < rsaBits.least) return `an RSA key of ${key.bits} bits, below ${rsaBits.least}`
      if (key.bits > rsaBits.most) return `an RSA key of ${key.bits} bits, above ${rsaBits.most}`
      return key.exponentBits < 2 || key.exponentBits > mostExponentBits
        ? 'an RSA key with an unusable exponent'
        : undefined
  }
}

/** True if a key of this kind can make signatures of this scheme. */
export function canSign(key: KeyKind, scheme: SignatureScheme): boolean {
  switch (scheme.kind) {
    case 'rsa':
      return key.kind === 'rsa'
    case 'rsa-pss':
      return key.kind === 'rsa' || key.kind === 'rsa-pss'
    case 'ecdsa':
      return key.kind === 'ec'
    case 'ed25519':
      return key.kind === 'ed25519'
  }
}
