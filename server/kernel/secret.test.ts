import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { equalInConstantTime, secret } from './secret.ts'

test('secret: its value is not printed, serialized or inspected, and only reveal() returns it', () => {
  const hidden = secret('s3cret')
  const shown = [
    String(hidden),
    `${hidden}`,
    JSON.stringify({ hidden }),
    inspect({ hidden }),
    String(new Error(`${hidden}`)),
  ]
  expect(shown.filter((text) => text.includes('s3cret'))).toEqual([])
  expect(hidden.reveal()).toBe('s3cret')
})

test.each([
  ['the same', 'a token', 'a token'],
  ['empty both', '', ''],
])('constant-time comparison: texts are equal: %s', (_name, a, b) => {
  expect(equalInConstantTime(a, b)).toBe(true)
})

test.each([
  ['the first character', 'b token', 'a token'],
  ['the last character', 'a tokem', 'a token'],
  ['a shorter one', 'a toke', 'a token'],
  ['nothing', '', 'a token'],
  ['the case', 'A token', 'a token'],
  ['a look-alike', 'а token', 'a token'],
  ['a NUL behind it', 'a token\0', 'a token'],
])('constant-time comparison: texts differ: %s', (_name, a, b) => {
  expect(equalInConstantTime(a, b)).toBe(false)
})
