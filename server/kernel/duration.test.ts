import { expect, test } from 'vitest'
import { formatSeconds, parseDuration, parseSeconds } from './duration.ts'

test.each([
  [0, 0],
  [3600, 3600],
  ['3600', 3600],
  ['', 0],
  ['90s', 90],
  ['1h30m', 5400],
  ['1.5h', 5400],
  ['7d', 604_800],
  ['1500ms', 1],
  ['999ms', 0],
  ['2999999us', 2],
  ['2999999µs', 2],
  ['2999999μs', 2],
  ['3000000000ns', 3],
  ['1h0.5m', 3630],
  ['0.29h', 1044],
  ['0.145h', 522],
  ['2.3h', 8280],
  ['0.1000000000000000000001h', 360],
  [9_223_372_036, 9_223_372_036],
])('seconds: %j is read as %i', (sent, seconds) => {
  expect(parseSeconds(sent)).toBe(seconds)
})

test.each([
  -1,
  3600.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 60,
  '-5s',
  '-1',
  '1.5',
  '1w',
  '1 h',
  ' 1h',
  '1h ',
  'h',
  'd',
  'soon',
  '1d12h',
  '1e3',
  '0x10',
  '99999999999999999999h',
  9_223_372_037,
  '9223372037',
  '99999999999999',
  '106752d',
  true,
  {},
  [1],
])('seconds: %j is not a duration', (sent) => {
  expect(parseSeconds(sent)).toBeUndefined()
})

test('durations are milliseconds, and need a unit', () => {
  expect([parseDuration('250ms'), parseDuration('2s'), parseDuration('1d')]).toEqual([250, 2_000, 86_400_000])
  expect(parseDuration('2')).toBeUndefined()
  expect([parseDuration('106751d'), parseDuration('106752d')]).toEqual([9_223_286_400_000, undefined])
  expect(parseDuration('2500000000h')).toBeUndefined()
  expect(parseDuration(`${'1h'.repeat(40)}`)).toBeUndefined()
})

test.each([
  [0, '0s'],
  [45, '45s'],
  [3599, '59m59s'],
  [3600, '1h'],
  [5400, '1h30m'],
  [90_061, '25h1m1s'],
])('%i seconds are written %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text)
})
