import {
  constants,
  createDecipheriv,
  createECDH,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hash,
  privateDecrypt,
} from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Decrypts OpenPGP messages with the private keys of the test data, without any code of the server. */

const folder = new URL('../data/openpgp/', import.meta.url)

/** A key of the test data, in base64. */
export const pgpKey = (file: string): string => readFileSync(new URL(file, folder), 'utf8').replaceAll('\n', '')

type Packet = { tag: number; body: Buffer }

/** The parts of a key or message, with headers of either form and lengths of every form but the partial one. */
export function packets(bytes: Buffer): Packet[] {
  const found: Packet[] = []
  for (let at = 0; at < bytes.length; ) {
    const first = bytes.readUInt8(at)
    const isNew = (first & 0x40) !== 0
    const { size, length } = isNew ? newLength(bytes, at + 1) : oldLength(bytes, at + 1, first & 3)
    const start = at + 1 + size
    found.push({ tag: isNew ? first & 0x3f : (first & 0x3c) >> 2, body: bytes.subarray(start, start + length) })
    at = start + length
  }
  return found
}

function newLength(bytes: Buffer, at: number): { size: number; length: number } {
  const first = bytes.readUInt8(at)
  if (first < 192) return { size: 1, length: first }
  if (first < 224) return { size: 2, length: ((first - 192) << 8) + bytes.readUInt8(at + 1) + 192 }
  return { size: 5, length: bytes.readUInt32BE(at + 1) }
}

function oldLength(bytes: Buffer, at: number, kind: number): { size: number; length: number } {
  const size = [1, 2, 4][kind] ?? 0
  return { size, length: bytes.readUIntBE(at, size) }
}

/** Writes a part with a header of the new form. */
export function packet({ tag, body }: Packet): Buffer {
  const head = Buffer.of(0xc0 | tag, 255, 0, 0, 0, 0)
  head.writeUInt32BE(body.length, 2)
  return Buffer.concat([head, body])
}

function number(bytes: Buffer, at: number): { value: Buffer; next: number } {
  const next = at + 2 + Math.ceil(bytes.readUInt16BE(at) / 8)
  return { value: bytes.subarray(at + 2, next), next }
}

function numbers(bytes: Buffer, count: number): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; found.length < count; ) {
    const { value, next } = number(bytes, at)
    found.push(value)
    at = next
  }
  return found
}

const text = (bytes: Buffer): string => bytes.toString('base64url')

function rsaSession(secret: Buffer, sealed: Buffer): Buffer {
  const n = number(secret, 6)
  const e = number(secret, n.next)
  // One byte says that there is no password.
  const [d, p, q] = numbers(secret.subarray(e.next + 1), 3) as [Buffer, Buffer, Buffer]
  const [bn, bd, bp, bq] = [n.value, d, p, q].map((each) => BigInt(`0x${each.toString('hex')}`)) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ]
  const part = (value: bigint): string => text(Buffer.from(value.toString(16).padStart(256, '0'), 'hex'))
  let qi = 1n
  for (let base = bq % bp, power = bp - 2n; power > 0n; power >>= 1n, base = (base * base) % bp) {
    if (power & 1n) qi = (qi * base) % bp
  }
  const jwk = { kty: 'RSA', n: text(n.value), e: text(e.value), d: text(d), p: text(p), q: text(q) }
  const key = createPrivateKey({
    key: { ...jwk, dp: part(bd % (bp - 1n)), dq: part(bd % (bq - 1n)), qi: part(qi) },
    format: 'jwk',
  })
  const value = Buffer.concat([Buffer.alloc(bn.toString(16).length / 2), number(sealed, 0).value]).subarray(-256)
  return privateDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, value)
}

function curveSession(secret: Buffer, sealed: Buffer): Buffer {
  const curve = secret.subarray(6, 7 + secret.readUInt8(6))
  const own = number(secret, 6 + curve.length)
  const parameters = secret.subarray(own.next, own.next + 1 + secret.readUInt8(own.next))
  const scalar = number(secret, own.next + parameters.length + 1).value
  const theirs = number(sealed, 0)
  const shared = own.value[0] === 0x40 ? agreeModern(own.value, scalar, theirs.value) : agree(scalar, theirs.value)
  const publicPart = secret.subarray(0, own.next + parameters.length)
  const head = Buffer.of(0x99, publicPart.length >> 8, publicPart.length & 255)
  const fingerprint = hash('sha1', Buffer.concat([head, publicPart]), 'buffer')
  const sender = Buffer.from('Anonymous Sender    ')
  const whom = Buffer.concat([Buffer.of(0, 0, 0, 1), shared, curve, Buffer.of(18), parameters, sender, fingerprint])
  const hashes: Record<number, string> = { 8: 'sha256', 9: 'sha384', 10: 'sha512' }
  const sizes: Record<number, number> = { 7: 16, 8: 24, 9: 32 }
  const wrapping = hash(hashes[parameters[2] ?? 0] ?? '', whom, 'buffer').subarray(0, sizes[parameters[3] ?? 0])
  const opener = createDecipheriv(`aes${wrapping.length * 8}-wrap`, wrapping, Buffer.alloc(8, 0xa6))
  const padded = Buffer.concat([opener.update(sealed.subarray(theirs.next + 1)), opener.final()])
  return padded.subarray(0, padded.length - (padded.at(-1) ?? 0))
}

function agreeModern(own: Buffer, scalar: Buffer, theirs: Buffer): Buffer {
  const d = text(Buffer.concat([Buffer.alloc(32 - scalar.length), scalar]).reverse())
  const jwk = { kty: 'OKP', crv: 'X25519' }
  return diffieHellman({
    privateKey: createPrivateKey({ key: { ...jwk, x: text(own.subarray(1)), d }, format: 'jwk' }),
    publicKey: createPublicKey({ key: { ...jwk, x: text(theirs.subarray(1)) }, format: 'jwk' }),
  })
}

function agree(scalar: Buffer, theirs: Buffer): Buffer {
  const pair = createECDH('secp521r1')
  pair.setPrivateKey(scalar)
  return pair.computeSecret(theirs)
}

/** Reads a message with a private key of the test data; throws if it was not made for that key or was changed. */
export function decryptPgp(file: string, message: Buffer): string {
  const [session, sealed] = packets(message).map(({ body }) => body)
  if (!session || !sealed) throw new Error('no message')
  const secrets = packets(Buffer.from(pgpKey(file), 'base64')).filter(({ tag }) => tag === 5 || tag === 7)
  const secret = secrets.at(-1)?.body ?? Buffer.alloc(0)
  const plain = (secret[5] === 18 ? curveSession : rsaSession)(secret, session.subarray(10))
  const opener = createDecipheriv('aes-256-cfb', plain.subarray(1, 33), Buffer.alloc(16))
  const opened = Buffer.concat([opener.update(sealed.subarray(1)), opener.final()])
  const [body, sum] = [opened.subarray(0, -20), opened.subarray(-20)]
  if (!hash('sha1', body, 'buffer').equals(sum)) throw new Error('the message was changed')
  return packets(body.subarray(18, -2))[0]?.body.toString('utf8', 6) ?? ''
}
