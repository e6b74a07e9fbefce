import { expect, test } from 'vitest'
import { count, counted, size } from './numbers.ts'
import { duration, relative, span, typedSpan } from './times.ts'

const now = Date.parse('2026-11-19T12:00:00Z')
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

test.each([
  [10_000, 'now'],
  [6 * minute, '6 min'],
  [2 * hour, '2 h'],
  [3 * day, '3 d'],
  [90 * day, '3 mo'],
  [3 * 365.25 * day, '3 y'],
  [-17 * hour, 'in 17 h'],
  [-10_000, 'now'],
])('%d ms ago is "%s"', (ago, expected) => expect(relative(now - ago, now)).toBe(expected))

test.each([
  [0.02, '0 s'],
  [0.42, '0.4 s'],
  [4, '4 s'],
  [52, '0:52'],
  [59.7, '1:00'],
  [125, '2:05'],
  [3599.8, '1 h 00 min'],
  [3840, '1 h 04 min'],
])('%d seconds took "%s"', (seconds, expected) => expect(duration(seconds)).toBe(expected))

test.each([
  [86_400, '1 d'],
  [43_200, '12 h'],
  [900, '15 min'],
  [90, '90 s'],
])('a length of %d seconds is "%s"', (seconds, expected) => expect(span(seconds)).toBe(expected))

test.each([
  [12, '12 B'],
  [1_500, '1.5 kB'],
  [412_000_000, '412 MB'],
  [999_700, '1 MB'],
  [2_340_000_000, '2.34 GB'],
])('%d bytes are "%s"', (bytes, expected) => expect(size(bytes)).toBe(expected))

test('counts are grouped, and have a true minus', () => {
  expect([count(100_000), count(-5), counted(1, 'workspace'), counted(2, 'workspace')]).toEqual([
    '100,000',
    '−5',
    '1 workspace',
    '2 workspaces',
  ])
})

test.each([
  [0, ''],
  [3600, '1h'],
  [5400, '90m'],
  [61, '61s'],
])('%i seconds are typed as %j', (seconds, text) => expect(typedSpan(seconds)).toBe(text))
