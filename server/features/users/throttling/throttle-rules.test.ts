import { expect, test } from 'vitest'
import { countersFor, waitAfter, waitText } from './throttle-rules.ts'

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
])('attempts from %s and %s are counted together: %s', (one, other, together) => {
  expect(JSON.stringify(keysFor(one)) === JSON.stringify(keysFor(other))).toBe(together)
})
