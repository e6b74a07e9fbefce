import { beforeEach, expect, test } from 'vitest'
import { type Instant, instant, later, systemClock } from '../kernel/clock.ts'
import { randomIds } from '../kernel/ids.ts'
import { secret } from '../kernel/secret.ts'
import { Keyring } from './keyring.ts'
import { signForUrl, verifySignedUrl } from './signed-urls.ts'

let now: Instant
const clock = { now: () => now }
const keyring = Keyring.create({ ids: randomIds, clock: systemClock }, secret(randomIds.bytes(32)))
const deps = { keyring, clock, ids: randomIds }
const grant = { purpose: 'state-download', subject: 'sv-1', lifetimeMs: 60_000 }

beforeEach(() => {
  now = instant(1_700_000_000_000)
})

test('signed url: is valid for its subject until it expires', () => {
  const token = signForUrl(deps, grant)
  now = later(now, 59_999)
  const verdict = verifySignedUrl(deps, 'state-download', token)
  expect(verdict).toMatchObject({ ok: true, claim: { subject: 'sv-1', expiresAt: now + 1 } })
  now = later(now, 1)
  expect(verifySignedUrl(deps, 'state-download', token)).toEqual({ ok: false, why: 'expired' })
})

test('signed url: is valid for its purpose only', () => {
  expect(verifySignedUrl(deps, 'state-upload', signForUrl(deps, grant))).toEqual({ ok: false, why: 'forged' })
})

test('signed url: two for the same subject differ, and printing one gives [redacted]', () => {
  const [one, two] = [signForUrl(deps, grant), signForUrl(deps, grant)]
  expect(one.reveal()).not.toBe(two.reveal())
  expect(`${one}`).toBe('[redacted]')
})

test('signed url: with any character changed it is refused', () => {
  const token = signForUrl(deps, grant).reveal()
  for (let at = 0; at < token.length; at++) {
    const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
    expect(verifySignedUrl(deps, 'state-download', secret(changed)).ok).toBe(false)
  }
})

test.each(['', '.', 'abc', 'a.b', `x.${'A'.repeat(44)}`])('signed url: %j is malformed', (text) => {
  expect(verifySignedUrl(deps, 'state-download', secret(text))).toEqual({ ok: false, why: 'malformed' })
})
