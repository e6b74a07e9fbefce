import { expect, test } from 'vitest'
import { connectionLimit, openFilesLimit } from './open-files.ts'

test.each([
  [undefined, 10_000, 10_000],
  [65_536, 10_000, 10_000],
  [10_128, 10_000, 10_000],
  [1_024, 10_000, 896],
  [160, 10_000, 80],
  [1_024, 50, 50],
  [1, 50, 1],
])('open files: with a limit of %j and %i connections wanted, %i are allowed', (openFiles, wanted, taken) => {
  expect(connectionLimit(openFiles, wanted)).toBe(taken)
})

test.runIf(process.platform === 'linux')('open files: the limit is read from /proc, and is undefined elsewhere', () => {
  expect(openFilesLimit()).toBeGreaterThan(20)
  expect(openFilesLimit('/proc/self/status')).toBeUndefined()
  expect(openFilesLimit('/proc/self/none')).toBeUndefined()
})
