import { createCipheriv, createDecipheriv, hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { failure } from '../kernel/failure.ts'
import type { Ids } from '../kernel/ids.ts'

/** What is wrapped: four letters at the start of the bytes, and what failures call it. */
export type WrapKind = {
  magic: string
  /** First part of the failure codes. */
  code: string
  /** The thing inside, as in `The keyring is damaged`. */
  thing: string
  /** The key that opens it, as in `This is not the root key`. */
  keyName: string
  keyCode: string
}

const version = 1
const keyBytes = 32
const saltBytes = 16
const checkBytes = 16
const nonceBytes = 12
const tagBytes = 16
const digestBytes = 32
/** After the four letters and the version. */
const saltAt = 5
const checkAt = saltAt + saltBytes
const nonceAt = checkAt + checkBytes
const bodyAt = nonceAt + nonceBytes

/**
 * Encrypts bytes under a key of 32 random bytes: `magic | version | salt | check | nonce | ciphertext | tag | digest`.
 * `check` proves the key before anything is opened, and the digest needs no key at all: a wrong key, rotten bytes and
 * bytes changed on purpose are three different answers.
 */
export function wrapBytes(kind: WrapKind, key: Uint8Array, plain: Uint8Array, ids: Pick<Ids, 'bytes'>): Buffer {
  if (key.length !== keyBytes) throw wrongKey(kind)
  const salt = ids.bytes(saltBytes)
  const nonce = ids.bytes(nonceBytes)
  const head = Buffer.concat([
    Buffer.from(kind.magic),
    Buffer.of(version),
    salt,
    subkey(key, salt, 'check', checkBytes),
  ])
  const wrapping = subkey(key, salt, 'wrap', keyBytes)
  const encryption = createCipheriv('aes-256-gcm', wrapping, nonce, { authTagLength: tagBytes })
  encryption.setAAD(head)
  const body = Buffer.concat([head, nonce, encryption.update(plain), encryption.final(), encryption.getAuthTag()])
  wrapping.fill(0)
  return Buffer.concat([body, digestOf(body)])
}

/** Opens what `wrapBytes` made, or says whether the key or the bytes are wrong. */
export function unwrapBytes(kind: WrapKind, key: Uint8Array, wrapped: Uint8Array): Buffer {
  const bytes = verifyDigest(kind, wrapped)
  const salt = bytes.subarray(saltAt, checkAt)
  if (key.length !== keyBytes) throw wrongKey(kind)
  const expected = subkey(key, salt, 'check', checkBytes)
  if (!timingSafeEqual(expected, bytes.subarray(checkAt, nonceAt))) throw wrongKey(kind)
  const wrapping = subkey(key, salt, 'wrap', keyBytes)
  const decryption = createDecipheriv('aes-256-gcm', wrapping, bytes.subarray(nonceAt, bodyAt), {
    authTagLength: tagBytes,
  })
  wrapping.fill(0)
  decryption.setAAD(bytes.subarray(0, nonceAt))
  decryption.setAuthTag(bytes.subarray(bytes.length - tagBytes))
  const plain = decryption.update(bytes.subarray(bodyAt, bytes.length - tagBytes))
  try {
    decryption.final()
  } catch (cause) {
    plain.fill(0)
    throw damaged(kind, cause)
  }
  return plain
}

/** Checks everything that needs no key and returns the bytes without their digest. */
function verifyDigest(kind: WrapKind, wrapped: Uint8Array): Buffer {
  const bytes = Buffer.from(wrapped)
  if (bytes.length < bodyAt + tagBytes + digestBytes || bytes.toString('latin1', 0, 4) !== kind.magic)
    throw damaged(kind)
  const body = bytes.subarray(0, bytes.length - digestBytes)
  if (!digestOf(body).equals(bytes.subarray(bytes.length - digestBytes))) throw damaged(kind)
  if (body.readUInt8(4) !== version) {
    throw failure('internal', `${kind.code}.newer-version`, `${kind.thing} was written by a newer version of Holdfast.`)
  }
  return body
}

const digestOf = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer')

const subkey = (key: Uint8Array, salt: Uint8Array, purpose: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, `holdfast wrap ${purpose}`, length))

const wrongKey = (kind: WrapKind): Error =>
  failure('invalid', `${kind.code}.${kind.keyCode}`, `This is not the ${kind.keyName} of this store.`)

const damaged = (kind: WrapKind, cause?: unknown): Error =>
  failure('internal', `${kind.code}.damaged`, `${kind.thing} is damaged.`, { cause })
