import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decryptPgp, packet, packets, pgpKey } from '../../test/support/openpgp.ts'
import type { Instant } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import { fingerprintOf, readRecipient } from './openpgp.ts'

const now = Date.parse('2026-11-20T00:00:00Z') as Instant
const root = join(import.meta.dirname, '../..')
const bytesOf = (name: string): Buffer => Buffer.from(pgpKey(`${name}.pub`), 'base64')
const rewritten = (bytes: Buffer, change: (parts: ReturnType<typeof packets>) => void): Buffer => {
  const parts = packets(bytes).map(({ tag, body }) => ({ tag, body: Buffer.from(body) }))
  change(parts)
  return Buffer.concat(parts.map(packet))
}

describe('OpenPGP messages', () => {
  test.each(['rsa', 'curve', 'nist', 'single', 'old'])(
    'a message to a %s key can be decrypted by its holder',
    async (name) => {
      const recipient = await readRecipient(bytesOf(name), now)
      for (const text of ['', 'a', 'ab12'.repeat(17)]) {
        expect(decryptPgp(`${name}.sec`, await recipient.encrypt(text))).toBe(text)
      }
    },
  )

  test('two messages of the same text differ, and another key cannot decrypt them', async () => {
    const { encrypt } = await readRecipient(bytesOf('curve'), now)
    const [one, two] = [await encrypt('share'), await encrypt('share')]
    expect(one.equals(two)).toBe(false)
    const other = await (await readRecipient(bytesOf('single'), now)).encrypt('share')
    expect(() => decryptPgp('rsa.sec', other)).toThrow()
  })

  test('the fingerprint of a key is the one that GnuPG shows', async () => {
    expect(await fingerprintOf(bytesOf('rsa'))).toBe('fef959ed04cc8d4267ab77580adb8aa032468ee3')
    expect(await fingerprintOf(bytesOf('expiring'))).toBe('fc45e2382154100dcd3f321bb36103280bf78520')
  })
})

describe('OpenPGP keys that are refused', () => {
  test.each([
    ['expiring', /expired/],
    ['revoked', /revoked/],
    ['signer', /valid encryption key/],
  ])('%s', async (name, text) => {
    await expect(readRecipient(bytesOf(name), now)).rejects.toThrow(text)
  })

  test('the expiring key is accepted before its expiry', async () => {
    const then = Date.parse('2020-01-01T12:00:00Z') as Instant
    expect((await readRecipient(bytesOf('expiring'), then)).encrypt).toBeTypeOf('function')
  })

  test('a subkey without a valid signature of the main key is not used', async () => {
    const stranger = packets(bytesOf('curve')).filter(({ tag }, index) => tag === 14 || index > 3)
    const forged = rewritten(bytesOf('signer'), (parts) => parts.push(...stranger))
    await expect(readRecipient(forged, now)).rejects.toThrow(/valid encryption key/)
    const broken = rewritten(bytesOf('rsa'), (parts) => {
      const last = parts.at(-1)?.body
      last?.writeUInt8((last.at(-1) ?? 0) ^ 1, last.length - 1)
    })
    await expect(readRecipient(broken, now)).rejects.toThrow(/valid encryption key/)
  })

  test('signatures with MD5 do not count', async () => {
    const weak = rewritten(bytesOf('old'), (parts) => {
      for (const { tag, body } of parts) if (tag === 2) body.writeUInt8(1, 3)
    })
    await expect(readRecipient(weak, now)).rejects.toThrow(/cannot be used to encrypt/)
  })

  test.each([
    ['nothing', Buffer.alloc(0), /cannot be read/],
    ['text', Buffer.from('hello'), /cannot be read/],
    ['a private key', Buffer.from(pgpKey('rsa.sec'), 'base64'), /is a private key/],
    ['half a key', bytesOf('rsa').subarray(0, 200), /cannot be read: Unexpected end/],
    ['two keys', Buffer.concat([bytesOf('rsa'), bytesOf('curve')]), /second one/],
  ])('%s', async (_name, bytes, text) => {
    await expect(readRecipient(bytes, now)).rejects.toThrow(text)
  })

  test('a key with one byte changed, every third in turn, is accepted or refused with a Failure', async () => {
    for (const name of ['rsa', 'curve', 'nist']) {
      const bytes = bytesOf(name)
      for (let at = 0; at < bytes.length; at += 3) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
        const refusal = await readRecipient(changed, now).catch((thrown: unknown) => thrown)
        if (refusal instanceof Error) expect(refusal).toBeInstanceOf(Failure)
      }
    }
  })
})

test('without the package, the refusal says what needs it and how to install it', () => {
  const hidden = `import { registerHooks } from 'node:module'
    registerHooks({ resolve: (name, context, next) => next(name === 'openpgp' ? 'openpgp-is-absent' : name, context) })`
  const asked = `import { readRecipient } from './server/crypto/openpgp.ts'
    await readRecipient(Buffer.from('AAAA'), 0).catch(({ kind, message }) => console.log(kind, message))`
  const imported = `data:text/javascript,${encodeURIComponent(hidden)}`
  const args = ['--import', imported, '--input-type=module', '--eval', asked]
  expect(execFileSync(process.execPath, args, { encoding: 'utf8', cwd: root })).toMatch(
    /^invalid PGP keys need the optional package 'openpgp', which is not installed: run 'npm install openpgp@6' where /,
  )
})
