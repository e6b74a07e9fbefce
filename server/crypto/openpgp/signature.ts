import { hash, type KeyObject, verify } from 'node:crypto'
import { newLength, notReadable, Reader } from './packets.ts'
import { algorithms, hashNames, type PublicKey } from './public-key.ts'

/** What signatures on keys say (RFC 9580 §5.2.1). */
export const signatureTypes = {
  certifications: [0x10, 0x11, 0x12, 0x13],
  subkey: 0x18,
  direct: 0x1f,
  keyRevoked: 0x20,
  subkeyRevoked: 0x28,
} as const

/** A signature of version 4 on a key. */
export type Signature = {
  readonly type: number
  /** In seconds since 1970. */
  readonly createdAt: number
  /** Seconds from the making of the key to its end; 0 for never. */
  readonly keyLifetime: number
  /** What the key may be used for; undefined if it does not say. */
  readonly flags: number | undefined
  readonly algorithm: number
  readonly hash: number
  /** The part that is signed together with the keys, and the numbers of the signature. */
  readonly signed: Buffer
  readonly numbers: Buffer
}

const subpackets = { createdAt: 2, keyLifetime: 9, flags: 27 } as const

/** Reads a signature packet (§5.2.3); undefined for versions we do not know. Only parts that are signed themselves count. */
export function readSignature(body: Buffer): Signature | undefined {
  const reader = new Reader(body)
  if (reader.number(1) !== 4) return undefined
  const [type, algorithm, hashNumber] = [reader.number(1), reader.number(1), reader.number(1)]
  const length = reader.number(2)
  const found = readSubpackets(reader.take(length))
  reader.take(reader.number(2))
  reader.take(2)
  return {
    type,
    algorithm,
    hash: hashNumber,
    createdAt: found.get(subpackets.createdAt)?.readUInt32BE() ?? 0,
    keyLifetime: found.get(subpackets.keyLifetime)?.readUInt32BE() ?? 0,
    flags: found.get(subpackets.flags)?.readUInt8(),
    signed: body.subarray(0, 6 + length),
    numbers: reader.take(reader.left),
  }
}

/** The shortest bodies of the parts we read; a shorter one is damaged. */
const minimumLengths: Readonly<Record<number, number>> = {
  [subpackets.createdAt]: 4,
  [subpackets.keyLifetime]: 4,
  [subpackets.flags]: 1,
}

function readSubpackets(bytes: Buffer): Map<number, Buffer> {
  const reader = new Reader(bytes)
  const found = new Map<number, Buffer>()
  while (reader.left > 0) {
    const part = reader.take(newLength(reader))
    const type = (part[0] ?? 0) & 0x7f
    if (part.length <= (minimumLengths[type] ?? 0)) throw notReadable('has a damaged signature')
    found.set(type, part.subarray(1))
  }
  return found
}

/**
 * SHA-1 still counts where a key signs its own parts: keys of many years are signed so and are in use, and a collision
 * would have to be prepared by the holder of the key.
 */
const signatureHashes: Readonly<Record<number, string>> = { ...hashNames, 2: 'sha1' }

/** True if this key made the signature over these bytes. */
export function isSignedBy(key: PublicKey, signature: Signature, over: Buffer): boolean {
  const hashName = signatureHashes[signature.hash]
  if (!key.key || hashName === undefined || signature.algorithm !== key.algorithm) return false
  const trailer = Buffer.of(4, 0xff, 0, 0, 0, 0)
  trailer.writeUInt32BE(signature.signed.length, 2)
  return isValid(key, key.key, Buffer.concat([over, signature.signed, trailer]), hashName, signature.numbers)
}

function isValid(key: PublicKey, object: KeyObject, data: Buffer, hashName: string, numbers: Buffer): boolean {
  const reader = new Reader(numbers)
  if (key.algorithm === algorithms.rsa) {
    const bytes = (object.asymmetricKeyDetails?.modulusLength ?? 0) / 8
    return verify(hashName, data, object, padded(reader.mpi(), Math.ceil(bytes)))
  }
  const size = key.curve?.size ?? 0
  const both = Buffer.concat([padded(reader.mpi(), size), padded(reader.mpi(), size)])
  // Keys of this older form sign the hash instead of the data (§5.2.3.3).
  if (key.algorithm === algorithms.eddsa) return verify(null, hash(hashName, data, 'buffer'), object, both)
  return verify(hashName, data, { key: object, dsaEncoding: 'ieee-p1363' }, both)
}

const padded = (number: Buffer, length: number): Buffer =>
  Buffer.concat([Buffer.alloc(Math.max(0, length - number.length)), number])
