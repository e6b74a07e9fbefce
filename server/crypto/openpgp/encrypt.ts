import {
  constants,
  createCipheriv,
  createECDH,
  diffieHellman,
  generateKeyPairSync,
  hash,
  type KeyObject,
  publicEncrypt,
} from 'node:crypto'
import type { Ids } from '../../kernel/ids.ts'
import { notReadable, tags, writeMpi, writePacket } from './packets.ts'
import { algorithms, type Derivation, type PublicKey } from './public-key.ts'

const aes256 = 9
const blockBytes = 16
const keyBytes = 32

/**
 * Encrypts a text so that only the holder of the key can read it: a session key for the recipient, and the text under it
 * with a hash that shows changes. This is the form that every OpenPGP program reads (RFC 9580 §5.1.1, §5.13.1).
 */
export function encryptFor(recipient: PublicKey, text: string, ids: Pick<Ids, 'bytes'>): Buffer {
  const sessionKey = ids.bytes(keyBytes)
  const keyId = recipient.fingerprint.subarray(-8)
  const sealedKey = sealKey(recipient, withChecksum(sessionKey))
  const message = Buffer.concat([
    writePacket(tags.session, Buffer.of(3), keyId, Buffer.of(recipient.algorithm), sealedKey),
    writePacket(tags.sealed, Buffer.of(1), sealText(sessionKey, text, ids)),
  ])
  sessionKey.fill(0)
  return message
}

/** The cipher, the key, and the sum of its bytes (§5.1.1). */
function withChecksum(sessionKey: Buffer): Buffer {
  const sum = Buffer.alloc(2)
  sum.writeUInt16BE(sessionKey.reduce((total, byte) => total + byte, 0) % 65_536)
  return Buffer.concat([Buffer.of(aes256), sessionKey, sum])
}

function sealKey(recipient: PublicKey, plain: Buffer): Buffer {
  const { key, derivation, algorithm } = recipient
  if (!key) throw notReadable('cannot be encrypted to')
  if (algorithm !== algorithms.ecdh) {
    return writeMpi(publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, plain))
  }
  if (!derivation) throw notReadable('cannot be encrypted to')
  const { point, shared } = agreeOnSecret(recipient, key)
  const wrapped = wrap(deriveKey(recipient, derivation, shared), padTo(40, plain))
  return Buffer.concat([writeMpi(point), Buffer.of(wrapped.length), wrapped])
}

/** A key pair for this message alone, and the secret it shares with the recipient. */
function agreeOnSecret({ curve }: PublicKey, key: KeyObject): { point: Buffer; shared: Buffer } {
  if (curve?.isModern) {
    const { privateKey, publicKey } = generateKeyPairSync('x25519')
    const shared = diffieHellman({ privateKey, publicKey: key })
    return { point: Buffer.concat([Buffer.of(0x40), coordinates(publicKey)]), shared }
  }
  const names: Readonly<Record<string, string>> = { 'P-256': 'prime256v1', 'P-384': 'secp384r1', 'P-521': 'secp521r1' }
  const pair = createECDH(names[curve?.name ?? ''] ?? '')
  const point = pair.generateKeys()
  return { point, shared: pair.computeSecret(Buffer.concat([Buffer.of(4), coordinates(key)])) }
}

function coordinates(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

/** From the shared secret to the key that wraps the session key (§11.5). */
function deriveKey({ body, fingerprint }: PublicKey, derivation: Derivation, shared: Buffer): Buffer {
  const curve = body.subarray(6, 7 + (body[6] ?? 0))
  const parameters = Buffer.concat([
    curve,
    Buffer.of(algorithms.ecdh),
    derivation.parameters,
    Buffer.from('Anonymous Sender    '),
    fingerprint,
  ])
  const derived = hash(derivation.hash, Buffer.concat([Buffer.of(0, 0, 0, 1), shared, parameters]), 'buffer')
  return derived.subarray(0, derivation.keyBytes)
}

/** Padding as of PKCS #5, always to the same length so that it does not reveal the cipher. */
const padTo = (length: number, plain: Buffer): Buffer =>
  Buffer.concat([plain, Buffer.alloc(length - plain.length, length - plain.length)])

/** Wraps a key in a key (RFC 3394). */
function wrap(key: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv(`aes${key.length * 8}-wrap`, key, Buffer.alloc(8, 0xa6))
  return Buffer.concat([cipher.update(plain), cipher.final()])
}

/** The text as a literal packet between a random block and a hash of both, enciphered as one. */
function sealText(sessionKey: Buffer, text: string, ids: Pick<Ids, 'bytes'>): Buffer {
  const random = ids.bytes(blockBytes)
  const literal = writePacket(tags.literal, Buffer.from('b'), Buffer.alloc(5), Buffer.from(text))
  const plain = Buffer.concat([random, random.subarray(-2), literal, Buffer.of(0xd3, 20)])
  const cipher = createCipheriv('aes-256-cfb', sessionKey, Buffer.alloc(blockBytes))
  return Buffer.concat([cipher.update(plain), cipher.update(hash('sha1', plain, 'buffer')), cipher.final()])
}
