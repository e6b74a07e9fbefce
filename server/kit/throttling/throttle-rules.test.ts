import { expect, test } from 'vitest'
import { instant } from '../../kernel/clock.ts'
import { countersFor, isBlocking, secondsUntil, waitAfter, waitText } from './throttle-rules.ts'

test.each([
  [1, '1 second'],
  [2, '2 seconds'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [121, '3 minutes'],
  [900, '15 minutes'],
])('wait: %i seconds are written as %s', (seconds, words) => {
  expect(waitText(seconds)).toBe(words)
})

test.each([
  ['pair', 5, 900],
  ['name', 30, 30],
  ['address', 50, 900],
])('wait: the delay for a %s starts after its free attempts, doubles and is capped', (kind, free, longest) => {
  const counted = countersFor('ann', '192.0.2.1').find(({ key }) => key.startsWith(kind)) ?? { free: 0, longest: 0 }
  const seconds = [free - 1, free, free + 1, free + 500].map((failures) => waitAfter(failures, counted) / 1_000)
  expect(seconds).toEqual([0, 1, 2, longest])
})

const keysFor = (address: string) => countersFor('ann', address).map(({ key }) => key)

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['2001:db8:1:2::1', '2001:0DB8:1:2:0:0:0:1', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['192.0.2.1', '192.0.2.2', false],
  ['192.0.2.1', '::ffff:192.0.2.1', true],
  ['192.0.2.1', '::ffff:192.0.2.2', false],
  ['a socket', 'a socket', true],
  ['a socket', 'another', false],
])('attempts from %s and %s are counted together: %s', (one, other, together) => {
  expect(JSON.stringify(keysFor(one)) === JSON.stringify(keysFor(other))).toBe(together)
})

test('attempts: without a name only the place is counted; of a long name its beginning counts', () => {
  expect(countersFor(undefined, '192.0.2.1').map(({ key, isShared }) => [key, isShared])).toEqual([
    ['address:192.0.2.1', true],
  ])
  const counters = countersFor('x'.repeat(255), '192.0.2.1').map(({ key, isShared }) => [key, isShared])
  expect(counters).toEqual([
    [`pair:${'x'.repeat(254)}|192.0.2.1`, false],
    [`name:${'x'.repeat(254)}`, false],
    ['address:192.0.2.1', true],
  ])
})

test('attempts: one name at two mounts is two names, at one place', () => {
  const keysAt = (...accessor: string[]) => countersFor('ann', '192.0.2.1', ...accessor).map(({ key }) => key)
  expect(new Set([...keysAt(), ...keysAt('auth_a_1'), ...keysAt('auth_b_2')]).size).toBe(7)
})

const now = instant(1_000_000)

test.each([
  [0, false],
  [1, true],
  [900_000, true],
  [900_001, false],
])('block: one that ends in %i ms is in force: %s', (ms, expected) => {
  expect(isBlocking(instant(now + ms), now)).toBe(expected)
})

test.each([
  [-5, 1],
  [1, 1],
  [1_000, 1],
  [1_001, 2],
  [30_000, 30],
])('wait: %i ms are %i seconds', (ms, seconds) => {
  expect(secondsUntil(instant(now + ms), now)).toBe(seconds)
})
