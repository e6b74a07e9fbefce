import { type Element, encoded, isNull, openSequence, readInteger, readOctetBits, readOid, readWhole } from '../der.ts'
import { tag } from '../der-writer.ts'

/** The curves a key may lie on, by identifier (RFC 5480 §2.1.1.1). */
const curves: ReadonlyMap<string, Curve> = new Map([
  ['1.2.840.10045.3.1.7', 'P-256'],
  ['1.3.132.0.34', 'P-384'],
  ['1.3.132.0.35', 'P-521'],
])

/** A named curve on the allow-list. */
type Curve = 'P-256' | 'P-384' | 'P-521'

/** What a public key is, read from its encoding alone: `createPublicKey` costs as much as a signature check. */
export type KeyKind =
  | { readonly kind: 'rsa' | 'rsa-pss'; readonly bits: number; readonly exponentBits: number }
  | { readonly kind: 'ec'; readonly curve: Curve }
  | { readonly kind: 'ed25519' }
  | { readonly kind: 'unsupported'; readonly problem: string }

/** A SubjectPublicKeyInfo (RFC 5280 §4.1.2.7). */
export type PublicKeyInfo = {
  readonly der: Buffer
  /** The key itself, which OCSP and key identifiers hash. */
  readonly keyBytes: Buffer
  readonly key: KeyKind
}

/**
 * Reads a SubjectPublicKeyInfo. A key that this engine cannot use is not an error here: the code that needs the key
 * refuses it.
 */
export function readPublicKeyInfo(element: Element): PublicKeyInfo {
  const what = 'The public key'
  const parts = openSequence(element, what)
  const algorithm = openSequence(parts.take(tag.sequence), what)
  const oid = readOid(algorithm.take(tag.oid), what)
  const parameters = algorithm.done ? undefined : algorithm.takeAny()
  algorithm.finish()
  const keyBytes = readOctetBits(parts.take(tag.bitString), what)
  parts.finish()
  return { der: encoded(element), keyBytes, key: kindOf(oid, parameters, keyBytes) }
}

function kindOf(oid: string, parameters: Element | undefined, keyBytes: Buffer): KeyKind {
  switch (oid) {
    case '1.2.840.113549.1.1.1':
      // RFC 3279 §2.3.1 asks for NULL; OpenSSL reads a key without it as well.
      return parameters === undefined || isNull(parameters) ? rsaKind('rsa', keyBytes) : withUnknownParameters
    case '1.2.840.113549.1.1.10':
      // Parameters bind the key to one hash, which OpenSSL enforces when it verifies.
      return rsaKind('rsa-pss', keyBytes)
    case '1.2.840.10045.2.1':
      return ecKind(parameters, keyBytes)
    case '1.3.101.112':
      if (parameters !== undefined) return withUnknownParameters
      return keyBytes.length === 32 ? { kind: 'ed25519' } : unsupported('an Ed25519 key of the wrong length')
    case '1.2.840.10040.4.1':
      return unsupported('a DSA key')
    default:
      return unsupported(`a key of type ${oid}`)
  }
}

const unsupported = (problem: string): KeyKind => ({ kind: 'unsupported', problem })

const withUnknownParameters = unsupported('a key with unknown parameters')

function rsaKind(kind: 'rsa' | 'rsa-pss', keyBytes: Buffer): KeyKind {
  const numbers = readRsaNumbers(keyBytes)
  if (numbers === undefined) return unsupported('an RSA key that cannot be read')
  return { kind, bits: bitLength(numbers.modulus), exponentBits: bitLength(numbers.exponent) }
}

function readRsaNumbers(keyBytes: Buffer): { modulus: Buffer; exponent: Buffer } | undefined {
  if (keyBytes.length === 0 || keyBytes[0] !== tag.sequence) return undefined
  const parts = openSequence(readWhole(keyBytes, tag.sequence, 'The RSA key'), 'The RSA key')
  // Both must be in their shortest form: leading zeros would make a short key count as a long one.
  const modulus = readInteger(parts.take(tag.integer), 'The modulus')
  const exponent = readInteger(parts.take(tag.integer), 'The exponent')
  parts.finish()
  const isUsable = (number: Buffer): boolean =>
    (number[0] ?? 0x80) < 0x80 && ((number[number.length - 1] ?? 0) & 1) === 1
  return isUsable(modulus) && isUsable(exponent) ? { modulus, exponent } : undefined
}

function bitLength(number: Buffer): number {
  const start = number[0] === 0 ? 1 : 0
  return start === number.length ? 0 : 8 * (number.length - start) - (Math.clz32(number[start] ?? 0) - 24)
}

const fieldBytes: Record<Curve, number> = { 'P-256': 32, 'P-384': 48, 'P-521': 66 }

function ecKind(parameters: Element | undefined, keyBytes: Buffer): KeyKind {
  if (parameters?.tag !== tag.oid) return unsupported('an EC key without a named curve')
  const oid = readOid(parameters, 'The curve')
  const curve = curves.get(oid)
  if (curve === undefined) return unsupported(`an EC key on curve ${oid}`)
  const size = fieldBytes[curve]
  const isPoint =
    (keyBytes[0] === 4 && keyBytes.length === 1 + 2 * size) ||
    ((keyBytes[0] === 2 || keyBytes[0] === 3) && keyBytes.length === 1 + size)
  return isPoint ? { kind: 'ec', curve } : unsupported('an EC key that is not a point on its curve')
}
