import { expect, test } from 'vitest'
import { waitText } from './throttle-rules.ts'

test.each([
  [1, '1 second'],
  [2, '2 seconds'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [121, '3 minutes'],
  [900, '15 minutes'],
])('wait: %i seconds are called %s', (seconds, words) => {
  expect(waitText(seconds)).toBe(words)
})
