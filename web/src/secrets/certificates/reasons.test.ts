import { expect, test } from 'vitest'
import { daysUntil, expiry, reasonSentence, reasonWord, restOfName, shortDigest, shortName } from './reasons.ts'

test.each([
  ['O=Meridian, CN=edge-1', 'edge-1', 'O=Meridian'],
  ['CN=a\\, b,O=X', 'a, b', 'O=X'],
  ['O=Only', 'Only', 'O=Only'],
  ['', 'without a name', ''],
])('the name of %j is %j', (subject, name, rest) => {
  expect(shortName(subject)).toBe(name)
  expect(restOfName(subject)).toBe(rest)
})

test.each([
  [-4, 'ended 4 days ago', 'bad'],
  [-1, 'ended yesterday', 'bad'],
  [0, 'ends today', 'warn'],
  [23, 'ends in 23 days', 'warn'],
  [90, '3 mo left', 'ok'],
  [1003, '2 y 9 mo left', 'ok'],
  [730, '2 y left', 'ok'],
])('%i days: %s', (days, text, tone) => {
  expect(expiry(days)).toEqual({ text, tone })
})

test('checks have words; one that is not known is called as it is', () => {
  expect(reasonWord('allowed_common_names')).toBe('name does not match')
  expect(reasonWord('some_new-check')).toBe('some new check')
  expect(reasonSentence('some_new')).toBe('some new failed')
})

test('digests are cut in their middle, and days are whole', () => {
  expect(shortDigest('9f3c71aabbccddeed04e')).toBe('9f:3c:71:…:d0:4e')
  expect(daysUntil('2026-01-03T00:00:00Z', Date.parse('2026-01-01T12:00:00Z'))).toBe(1)
})
