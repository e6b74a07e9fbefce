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
  ['the same', 'a token', 'a token', true],
  ['empty both', '', '', true],
  ['the first character', 'b token', 'a token', false],
  ['the last character', 'a tokem', 'a token', false],
  ['a shorter one', 'a toke', 'a token', false],
  ['nothing', '', 'a token', false],
  ['the case', 'A token', 'a token', false],
  ['a look-alike', 'а token', 'a token', false],
  ['a NUL behind it', 'a token\0', 'a token', false],
])('constant-time comparison: %s', (_name, a, b, expected) => {
  expect(equalInConstantTime(a, b)).toBe(expected)
})
