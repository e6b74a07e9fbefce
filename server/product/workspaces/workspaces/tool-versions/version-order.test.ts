import { expect, test } from 'vitest'
import { compareVersions, readVersion, type SemanticVersion } from './tool-version.ts'

const read = (text: string): SemanticVersion => {
  const version = readVersion(text)
  if (!version) throw new Error(`${text} is not a version`)
  return version
}

const inOrder = [
  '0.0.0-0',
  '0.0.0',
  '0.9.10',
  '0.10.9',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-beta.9007199254740992',
  '1.0.0-beta.9007199254740993',
  '1.0.0-beta.10x',
  '1.0.0-rc.1',
  '1.0.0',
  '1.2.9007199254740992',
  '1.2.9007199254740993',
  '1.2.1234567890123456789',
  '1.2.12345678901234567890',
  '1.10.0--',
  '1.10.0',
  '2.0.0',
]

test('semantic version: versions sort in the specified order', () => {
  for (const [a, one] of inOrder.entries()) {
    for (const [b, other] of inOrder.entries()) {
      expect(Math.sign(compareVersions(read(one), read(other))), `${one} and ${other}`).toBe(Math.sign(a - b))
    }
  }
})

test('semantic version: build metadata does not count when comparing', () => {
  expect(compareVersions(read('1.0.0+a.1'), read('1.0.0+b'))).toBe(0)
  expect(compareVersions(read('1.0.0-rc1+a'), read('1.0.0-rc1'))).toBe(0)
})

test.each([
  '',
  '1',
  '1.2',
  '1.2.3.4',
  'v1.2.3',
  '01.2.3',
  '1.2.03',
  '1.2.3-',
  '1.2.3-01',
  '1.2.3-a..b',
  '1.2.3+',
  '1.2.3 ',
])('semantic version: %j is not one', (text) => {
  expect(readVersion(text)).toBeUndefined()
})

test('semantic version: very long invalid texts are refused within two seconds of CPU time', () => {
  const before = process.cpuUsage()
  for (const part of ['1', '1.', '-', 'a', '1a.']) {
    const long = part.repeat(40_000 / part.length)
    for (const text of [`1.2.3-${long}!`, `1.2.3-${long}+`, `1.2.3+${long}!`]) {
      expect(readVersion(text)).toBeUndefined()
    }
  }
  const { user, system } = process.cpuUsage(before)
  expect(user + system).toBeLessThan(2_000_000)
})
