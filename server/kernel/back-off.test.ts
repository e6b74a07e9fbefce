import { expect, test } from 'vitest'
import { backOff } from './pause.ts'

test('back-off: doubles from the first wait up to the longest, however many failures there are', () => {
  const waits = { first: 100, longest: 1_000 }
  expect([0, 1, 2, 3, 4, 5, 6, 5_000].map((failures) => backOff(waits, failures))).toEqual([
    100, 100, 200, 400, 800, 1_000, 1_000, 1_000,
  ])
})
