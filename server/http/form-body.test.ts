import { expect, test } from 'vitest'
import { parseForm } from './form-body.ts'

const limits = { maxEntries: 4, maxString: 12 }
const read = (text: string) => parseForm(Buffer.from(text), limits)

test.each([
  ['fields', 'a=1&b=x%20y+z', { a: '1', b: 'x y z' }],
  ['a field sent several times, as a list in its order', 'p=a&q=1&p=b&p=a', { p: ['a', 'b', 'a'], q: '1' }],
  ['fields without a value', 'a&b=', { a: '', b: '' }],
  ['names that objects have by birth', 'constructor=1&toString=2', { constructor: '1', toString: '2' }],
  ['a text just as long as it may be', 'a=123456789012', { a: '123456789012' }],
])('form: parses %s', (_name, text, fields) => {
  expect(read(text)).toEqual(fields)
})

test.each([
  ['too many fields', 'a&b&c&d&e', /over 4 fields/],
  ['too many, all of them empty,', '&&&&', /over 4 fields/],
  ['a text that is too long', 'a=1234567890123', /over 12 characters/],
  ['a NUL', 'a=x%00', /NUL/],
  ['a NUL in a name', 'a%00=x', /NUL/],
  ['__proto__', '__proto__=x', /__proto__/],
])('form: %s is refused', (_name, text, why) => {
  expect(() => read(text)).toThrow(why)
})

test('form: bytes that are not valid UTF-8 are refused', () => {
  expect(() => parseForm(Buffer.from([0x61, 0x3d, 0xff]), limits)).toThrow(/UTF-8/)
})
