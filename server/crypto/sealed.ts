import { createCipheriv, createDecipheriv } from 'node:crypto'
import { failure } from '../kernel/failure.ts'

/** Bytes that only the keyring can read. Columns of secrets have this type, so that plain text does not compile. */
export type Sealed = Buffer & { readonly __brand: 'Sealed' }

/** Where a sealed value lives. It is authenticated with the value, so that ciphertexts cannot change places. */
export type Place = { table: string; column: string; row: string }

/** What precedes a ciphertext: `format`, the term of the data key, and what the format adds. */
type SealedHeader = { format: number; term: number; extra?: Uint8Array }

/** Length of the format byte and the term. */
export const fixedHeaderBytes = 5

/** Length of the nonce before each ciphertext (NIST SP 800-38D §8.2.2: 96 random bits). */
export const nonceBytes = 12

const tagBytes = 16
const cipher = 'aes-256-gcm'

/** Marks bytes read from the store as sealed. */
export const asSealed = (bytes: Uint8Array): Sealed => asBuffer(bytes) as Sealed

/** The same memory as a Buffer; SQLite hands out plain Uint8Arrays. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Encrypts: `format | term | extra | nonce | ciphertext | tag`, everything and the place authenticated. */
export function sealBytes(key: Buffer, nonce: Buffer, header: SealedHeader, plain: Uint8Array, place: Place): Sealed {
  const head = Buffer.alloc(fixedHeaderBytes)
  head.writeUInt8(header.format, 0)
  head.writeUInt32BE(header.term, 1)
  const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  const extra = header.extra ?? Buffer.alloc(0)
  encryption.setAAD(associatedData(Buffer.concat([head, extra]), place))
  const body = encryption.update(plain)
  return asSealed(Buffer.concat([head, extra, nonce, body, encryption.final(), encryption.getAuthTag()]))
}

/** Decrypts what `sealBytes` made; `headerBytes` is the length of the format's header. All or nothing. */
export function openBytes(key: Buffer, headerBytes: number, sealed: Buffer, place: Place): Buffer {
  if (sealed.length < headerBytes + nonceBytes + tagBytes) throw damaged(place)
  const head = sealed.subarray(0, headerBytes)
  const nonce = sealed.subarray(headerBytes, headerBytes + nonceBytes)
  const body = sealed.subarray(headerBytes + nonceBytes, sealed.length - tagBytes)
  const decryption = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  decryption.setAAD(associatedData(head, place))
  decryption.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  const plain = decryption.update(body)
  try {
    decryption.final()
  } catch (cause) {
    plain.fill(0)
    throw damaged(place, cause)
  }
  return plain
}

/** Reads format and term without a key; the tag check later proves them. */
export function readHeader(sealed: Buffer, place: Place): { format: number; term: number } {
  if (sealed.length < fixedHeaderBytes) throw damaged(place)
  return { format: sealed.readUInt8(0), term: sealed.readUInt32BE(1) }
}

/** The failure for a value that was changed, cut, or put in another place. */
export const damaged = (place: Place, cause?: unknown): Error =>
  failure(
    'internal',
    'keyring.damaged-value',
    `A sealed value in ${place.table}.${place.column} is damaged or belongs to another row.`,
    { cause },
  )

/** Lengths precede table and column, so that no two places share one encoding. */
const associatedData = (head: Buffer, { table, column, row }: Place): Buffer =>
  Buffer.concat([head, Buffer.from(`holdfast:${table.length}:${table}:${column.length}:${column}:${row}`)])
