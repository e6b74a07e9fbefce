import { createPublicKey, hash, type KeyObject } from 'node:crypto'
import { notReadable, Reader } from './packets.ts'

/** Kinds of keys (RFC 9580 §9.1). */
export const algorithms = { rsa: 1, rsaEncryptOnly: 2, ecdh: 18, ecdsa: 19, eddsa: 22 } as const

/** A curve by its object identifier; `size` is the length of a coordinate. */
type Curve = { readonly name: string; readonly size: number; readonly isModern: boolean }

const curves: Readonly<Record<string, Curve>> = {
  '2a8648ce3d030107': { name: 'P-256', size: 32, isModern: false },
  '2b81040022': { name: 'P-384', size: 48, isModern: false },
  '2b81040023': { name: 'P-521', size: 66, isModern: false },
  '2b060104019755010501': { name: 'X25519', size: 32, isModern: true },
  '2b06010401da470f01': { name: 'Ed25519', size: 32, isModern: true },
}

/** What an ECDH key says about the way from a shared secret to a key (§11.5): which hash, which cipher, and all of it as bytes. */
export type Derivation = { readonly hash: string; readonly keyBytes: number; readonly parameters: Buffer }

/** A public key or subkey. */
export type PublicKey = {
  readonly body: Buffer
  readonly algorithm: number
  /** In seconds since 1970. */
  readonly createdAt: number
  readonly fingerprint: Buffer
  /** The key for `node:crypto`; undefined for kinds we neither verify nor encrypt with. */
  readonly key: KeyObject | undefined
  readonly curve: Curve | undefined
  readonly derivation: Derivation | undefined
}

/** Names of hashes by their number (§9.5), without those that are broken. */
export const hashNames: Readonly<Record<number, string>> = { 8: 'sha256', 9: 'sha384', 10: 'sha512', 11: 'sha224' }

const cipherKeyBytes: Readonly<Record<number, number>> = { 7: 16, 8: 24, 9: 32 }

/** Reads the body of a key packet of version 4 (§5.5.2.2). */
export function readPublicKey(body: Buffer): PublicKey {
  const reader = new Reader(body)
  const version = reader.number(1)
  if (version !== 4) throw notReadable(`is of version ${version}; only version 4 is supported`)
  const createdAt = reader.number(4)
  const algorithm = reader.number(1)
  return {
    body,
    createdAt,
    algorithm,
    fingerprint: hash('sha1', keyHashInput(body), 'buffer'),
    ...readKeyMaterial(algorithm, reader),
  }
}

/** A key as it goes into fingerprints and signatures (§5.5.4). */
export function keyHashInput(body: Buffer): Buffer {
  const head = Buffer.of(0x99, 0, 0)
  head.writeUInt16BE(body.length, 1)
  return Buffer.concat([head, body])
}

function readKeyMaterial(algorithm: number, reader: Reader): Pick<PublicKey, 'key' | 'curve' | 'derivation'> {
  if (algorithm === algorithms.rsa || algorithm === algorithms.rsaEncryptOnly) {
    const [n, e] = [reader.mpi(), reader.mpi()]
    if (n.length < 256) throw notReadable('is too short: RSA keys need at least 2048 bits')
    return { key: importKey({ kty: 'RSA', n: text(n), e: text(e) }), curve: undefined, derivation: undefined }
  }
  const isOnCurve = algorithm === algorithms.ecdh || algorithm === algorithms.ecdsa || algorithm === algorithms.eddsa
  const curve = isOnCurve ? curves[reader.take(reader.number(1)).toString('hex')] : undefined
  if (!curve) return { key: undefined, curve: undefined, derivation: undefined }
  const key = pointOn(curve, reader.mpi())
  return { key, curve, derivation: algorithm === algorithms.ecdh ? derivationOf(reader) : undefined }
}

function pointOn(curve: Curve, point: Buffer): KeyObject {
  const { name, size, isModern } = curve
  if (point.length !== 1 + (isModern ? size : 2 * size)) throw notReadable('has a point of the wrong length')
  if (isModern) return importKey({ kty: 'OKP', crv: name, x: text(point.subarray(1)) })
  const [x, y] = [point.subarray(1, 1 + size), point.subarray(1 + size)]
  return importKey({ kty: 'EC', crv: name, x: text(x), y: text(y) })
}

function derivationOf(reader: Reader): Derivation | undefined {
  const parameters = reader.take(reader.number(1))
  const hashName = hashNames[parameters[1] ?? 0]
  const keyBytes = cipherKeyBytes[parameters[2] ?? 0]
  if (hashName === undefined || keyBytes === undefined) return undefined
  return { hash: hashName, keyBytes, parameters: Buffer.concat([Buffer.of(parameters.length), parameters]) }
}

const text = (bytes: Buffer): string => bytes.toString('base64url')

function importKey(jwk: { kty: string; crv?: string; n?: string; e?: string; x?: string; y?: string }): KeyObject {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch (cause) {
    throw notReadable('has numbers that do not form a key', cause)
  }
}
