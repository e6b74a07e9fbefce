import { expect, test } from 'vitest'
import { textOf } from '../../../kernel/failure.ts'
import { parseJson } from './json.ts'
import { decodePolicyText, parseDocument } from './policy-document.ts'
import { toPlain } from './syntax-tree.ts'

const read = (text: string): unknown =>
  Object.fromEntries(parseJson(text).items.map((item) => [item.key, toPlain(item.value)]))

const refusal = (text: string): string => {
  try {
    parseJson(text)
  } catch (thrown) {
    return textOf(thrown)
  }
  return 'accepted'
}

test.each([
  ['{}'],
  ['{"path":{"secret/*":{"capabilities":["read"]}}}'],
  [' {"a": [1, -2.5e3, true, false, null, "x", [], {}]} \n'],
  [String.raw`{"a": "\"\\\/\b\f\n\r\t\u0041\ud83d\udd11 é 🔑"}`],
])('json: %s is read as JSON.parse reads it', (text) => {
  expect(read(text)).toEqual(JSON.parse(text))
})

test.each([
  ['a list', '[]', 'line 1, column 1: expected a JSON object, found "["'],
  ['a comment', '{"a": 1 /* x */}', `line 1, column 9: expected ',' or '}' in the object, found "/"`],
  ['a comma at the end', '{"a": 1,\n}', 'line 2, column 1: expected a key in double quotes, found "}"'],
  ['a bare key', '{a: 1}', 'line 1, column 2: expected a key in double quotes, found "a"'],
  ['an equals sign', '{"a" = 1}', `line 1, column 6: expected ':' after the key, found "="`],
  ['a leading zero', '{"a": 01}', 'line 1, column 7: expected a JSON value, found "0"'],
  ['text behind the object', '{} x', 'line 1, column 4: expected the end of the text, found "x"'],
  ['a number beyond measure', '{"a": 1e999}', 'line 1, column 7: the number is too large'],
  [
    'half a character',
    String.raw`{"a": "\ud800"}`,
    'line 1, column 7: the string is not closed, or holds an unknown escape or a control character',
  ],
  [
    'an open string',
    '{"a": "x}',
    'line 1, column 7: the string is not closed, or holds an unknown escape or a control character',
  ],
  ['an open list', '{"a": [1', "line 1, column 9: expected ',' or ']' in the list, found the end of the text"],
])('json: %s is refused with line and column', (_name, text, expected) => {
  expect(refusal(text)).toBe(`policy: ${expected}`)
})

test('json: a key set twice is reported as duplicate and both values are kept', () => {
  const { items, duplicates } = parseJson('{"a": 1, "b": {"c": 1, "c": 2}, "a": 2}')
  expect(duplicates.map((each) => each.key)).toEqual(['c', 'a'])
  expect(items.map((item) => item.key)).toEqual(['a', 'b', 'a'])
})

test('json: deep nesting is refused', () => {
  expect(refusal(`{"a":${'['.repeat(100_000)}`)).toContain('nested deeper than 32 levels')
})

test('policy text: one that begins with a brace is parsed as JSON, any other as HCL', () => {
  expect(parseDocument(' \n{"a": 1}').items).toHaveLength(1)
  expect(parseDocument('a = 1').items).toHaveLength(1)
})

const sample = 'path "é/*" { capabilities = ["read"] }\n'

test.each([
  ['plain text', sample, sample],
  ['base64', Buffer.from(sample).toString('base64'), sample],
  [
    'base64 in lines',
    `${Buffer.from(sample.repeat(3))
      .toString('base64')
      .replace(/(.{20})/g, '$1\r\n')}\n`,
    sample.repeat(3),
  ],
  ['a word of base64 digits that is not text', 'abcd', 'abcd'],
  ['a word of the wrong length', 'abcde', 'abcde'],
  ['nothing', '', ''],
])('policy text: %s is decoded or kept', (_name, sent, expected) => {
  expect(decodePolicyText(sent)).toBe(expected)
})
