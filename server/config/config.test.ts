import { expect, test } from 'vitest'
import { defaultBufferedBytes, usableMemory } from './config.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3

test.each([
  ['the limit of the container', { constrained: 500 * MiB, total: 8 * GiB }, 500 * MiB],
  ['all of the machine, if there is no limit', { constrained: 0, total: 8 * GiB }, 8 * GiB],
  ['all of the machine, if the limit is larger', { constrained: 2 ** 64, total: 8 * GiB }, 8 * GiB],
])('usable memory: %s', (_name, given, expected) => {
  expect(usableMemory(given)).toBe(expected)
})

test.each([
  ['an eighth of the memory', 1 * GiB, 128 * MiB],
  ['whole mebibytes', 500_000_000, 59 * MiB],
  ['no more than 512 MiB', 64 * GiB, 512 * MiB],
  ['512 MiB from 4 GiB on', 4 * GiB, 512 * MiB],
  ['no less than 32 MiB, the largest body under /v1', 64 * MiB, 32 * MiB],
])('memory for request bodies: %s', (_name, memory, expected) => {
  expect(defaultBufferedBytes(memory)).toBe(expected)
})
