import { expect, test } from 'vitest'
import { testClock } from '../../../../../test/support/clock.ts'
import { Keyring } from '../../../../crypto/keyring.ts'
import { type Instant, instant } from '../../../../kernel/clock.ts'
import { randomIds } from '../../../../kernel/ids.ts'
import { secret } from '../../../../kernel/secret.ts'
import { blankToken } from '../issuing/new-token-actions.ts'
import { hasUses, isLiving, principalOf, rootedIn, secondsLeft, type Token } from './token.ts'

const clock = testClock()
const keyring = Keyring.create({ clock, ids: randomIds }, secret(randomIds.bytes(32)))
const blank = blankToken({ keyring, clock, ids: randomIds }, '')
const token = (parts: Partial<Token>): Token => ({ ...blank, ...parts })

const [early, late] = [instant(1_000), instant(2_000)]

test.each<[string, Instant | undefined, Instant | undefined, Instant | undefined]>([
  ['neither ends', undefined, undefined, undefined],
  ['only the token ends', early, undefined, early],
  ['only an ancestor ends', undefined, early, early],
  ['the token ends first', early, late, early],
  ['an ancestor ends first', late, early, early],
])('ancestors: when a token ends if %s', (_name, expiresAt, endsAt, expected) => {
  const rooted = rootedIn(token({ expiresAt }), { generations: 1, intact: true, endsAt })
  expect(rooted?.endsAt).toBe(expected)
})

test('ancestors: a token without any ends by itself, one with a dead ancestor is dead', () => {
  expect(rootedIn(token({ expiresAt: early }), undefined)?.endsAt).toBe(early)
  expect(rootedIn(token({}), { generations: 1, intact: false, endsAt: undefined })).toBeUndefined()
})

test.each<[string, Partial<Token>, Instant | undefined, number, boolean]>([
  ['without an end', {}, undefined, 9_000, true],
  ['before its end', {}, early, 999, true],
  ['at its end', {}, early, 1_000, false],
  ['revoked', { revoked: true }, undefined, 0, false],
])('life: a token %s', (_name, parts, endsAt, now, living) => {
  expect(isLiving({ token: token(parts), endsAt }, instant(now))).toBe(living)
})

test.each([
  [0, 0, true, false],
  [2, 1, true, true],
  [2, 0, false, true],
])('uses: of %i with %i left, is one more allowed: %s, are they limited: %s', (numUses, usesLeft, more, limited) => {
  const limitedToken = token({ numUses, usesLeft })
  expect([hasUses(limitedToken), principalOf(limitedToken, []).limitedUses]).toEqual([more, limited])
})

test.each<[string, Instant | undefined, number]>([
  ['none for a token without an end', undefined, 0],
  ['whole ones only', instant(clock.now() + 1_999), 1],
  ['none of one that is over', instant(clock.now() - 5_000), 0],
])('seconds left: %s', (_name, expiresAt, seconds) => {
  expect(secondsLeft(expiresAt, clock.now())).toBe(seconds)
})
