import { expect, test } from 'vitest'
import {
  hasInexactNumber,
  isRawNumber,
  parseExact,
  parseExactScalar,
  parseForForwarding,
  parseVerbatim,
  writeExact,
} from './exact-json.ts'

const long = '12345678901234567890'

test.each([
  ['a whole number', `{"a":[${long},-${long}]}`],
  ['the first that a double rounds', '9007199254740993'],
  ['what doubles hold', '[1,-2.5,1e+300,0.1,9007199254740991,"12345678901234567890",null,true]'],
])('long numbers keep all their digits: %s', (_name, text) => {
  expect(writeExact(parseExact(text))).toBe(text)
  expect(JSON.stringify(parseForForwarding(text))).toBe(text)
  expect(writeExact(parseForForwarding(text))).toBe(text)
})

test('verbatim: a number that a double would write differently keeps its text, others stay numbers', () => {
  const text = `{"a":[${long},0.12345678901234567890,1e400,1.0,-0,1E2,7,"1.0",null,true]}`
  const { a } = parseVerbatim(text) as { a: unknown[] }
  expect(JSON.stringify({ a })).toBe(text)
  expect(a.map(isRawNumber)).toEqual([true, true, true, true, true, true, false, false, false, false])
})

test('long numbers: hasInexactNumber finds those that a double cannot hold exactly', () => {
  expect([hasInexactNumber({ a: [1, JSON.parse(long)] }), hasInexactNumber({ a: [1, 'x', null, 2.5] })]).toEqual([
    true,
    false,
  ])
})

test.each([
  [long, 12345678901234567890n],
  ['12', 12],
  ['9007199254740991', 9007199254740991],
  ['1e30', 1e30],
  ['12345678901234567890.5', 12345678901234567000],
  ['12345678901234567890.0000000000000000', 12345678901234567000],
  ['"x"', 'x'],
  ['1'.repeat(401), Number.POSITIVE_INFINITY],
])('scalars: a bigint is given only for integers that a double cannot hold: %s', (text, expected) => {
  expect(parseExactScalar(text)).toBe(expected)
  expect(parseExact(`[${text}]`)).toEqual([expected])
})
