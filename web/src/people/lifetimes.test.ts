import { expect, test } from 'vitest'
import { isSoon, untilOf } from './lifetimes.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

test.each([
  ['7', '', '2026-01-08T00:00:00.000Z'],
  ['365', '', '2027-01-01T00:00:00.000Z'],
  ['never', '', null],
  ['date', '2026-05-01T12:00Z', '2026-05-01T12:00:00.000Z'],
])('a token that lasts %s %s expires at %s', (lifetime, date, until) => {
  expect(untilOf(lifetime, date, now)).toBe(until)
})

test('what ends within two weeks ends soon', () => {
  expect([13, 15].map((days) => isSoon(days * 86_400_000))).toEqual([true, false])
})
