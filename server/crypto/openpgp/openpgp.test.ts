import { describe, expect, test } from 'vitest'
import { decryptPgp, pgpKey } from '../../../test/support/openpgp.ts'
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { randomIds } from '../../kernel/ids.ts'
import { encryptFor } from './encrypt.ts'
import { readPackets, writePacket } from './packets.ts'
import { findRecipient } from './recipient.ts'

const now = Date.parse('2026-11-20T00:00:00Z') as Instant
const bytesOf = (name: string): Buffer => Buffer.from(pgpKey(`${name}.pub`), 'base64')
const rewritten = (bytes: Buffer, change: (packets: { tag: number; body: Buffer }[]) => void): Buffer => {
  const packets = readPackets(bytes).map(({ tag, body }) => ({ tag, body: Buffer.from(body) }))
  change(packets)
  return Buffer.concat(packets.map(({ tag, body }) => writePacket(tag, body)))
}

describe('OpenPGP messages', () => {
  test.each(['rsa', 'curve', 'nist', 'single', 'old'])(
    'a message to a %s key can be decrypted by its holder',
    (name) => {
      const recipient = findRecipient(bytesOf(name), now)
      for (const text of ['', 'a', 'ab12'.repeat(17)]) {
        expect(decryptPgp(`${name}.sec`, encryptFor(recipient, text, randomIds))).toBe(text)
      }
    },
  )

  test('two messages of the same text differ, and another key cannot decrypt them', () => {
    const recipient = findRecipient(bytesOf('curve'), now)
    const [one, two] = [encryptFor(recipient, 'share', randomIds), encryptFor(recipient, 'share', randomIds)]
    expect(one.equals(two)).toBe(false)
    const other = encryptFor(findRecipient(bytesOf('single'), now), 'share', randomIds)
    expect(() => decryptPgp('rsa.sec', other)).toThrow()
  })
})

describe('OpenPGP keys that are refused', () => {
  test.each([
    ['expiring', now, /has expired/],
    ['revoked', now, /is revoked/],
    ['signer', now, /no valid part for encryption/],
  ])('%s', (name, at, text) => {
    expect(() => findRecipient(bytesOf(name), at)).toThrow(text)
  })

  test('the expiring key is accepted before its expiry', () => {
    const then = Date.parse('2020-01-01T12:00:00Z') as Instant
    expect(findRecipient(bytesOf('expiring'), then).algorithm).toBe(18)
  })

  test('a subkey without a valid signature of the main key is not used', () => {
    const stranger = readPackets(bytesOf('curve')).filter(({ tag }, index) => tag === 14 || index > 3)
    const forged = rewritten(bytesOf('signer'), (packets) => packets.push(...stranger))
    expect(() => findRecipient(forged, now)).toThrow(/no valid part/)
    const broken = rewritten(bytesOf('rsa'), (packets) => {
      const last = packets.at(-1)?.body
      last?.writeUInt8((last.at(-1) ?? 0) ^ 1, last.length - 1)
    })
    expect(() => findRecipient(broken, now)).toThrow(/no valid part/)
  })

  test('signatures with MD5 do not count, and the text names the hashes that do', () => {
    const weak = rewritten(bytesOf('old'), (packets) => {
      for (const { tag, body } of packets) if (tag === 2) body.writeUInt8(1, 3)
    })
    expect(() => findRecipient(weak, now)).toThrow(/no valid part for encryption.*signed with SHA-1 or SHA-2/)
  })

  test.each([
    ['nothing', Buffer.alloc(0), /not a public key/],
    ['text', Buffer.from('hello'), /not made of packets/],
    ['a private key', Buffer.from(pgpKey('rsa.sec'), 'base64'), /not a public key/],
    ['half a key', bytesOf('rsa').subarray(0, 200), /ends too early/],
    ['two keys', Buffer.concat([bytesOf('rsa'), bytesOf('curve')]), /second one/],
  ])('%s', (_name, bytes, text) => {
    expect(() => findRecipient(bytes, now)).toThrow(text)
  })

  test('a key with one byte changed, every third in turn, is accepted or refused with a Failure', () => {
    for (const name of ['rsa', 'curve', 'nist']) {
      const bytes = bytesOf(name)
      for (let at = 0; at < bytes.length; at += 3) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
        try {
          encryptFor(findRecipient(changed, now), 'x', randomIds)
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(Failure)
        }
      }
    }
  })
})
