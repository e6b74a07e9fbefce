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
  expect([hasInexactNumber({ a: [JSON.parse(long)] }), hasInexactNumber({ a: [1, 'x', null, 2.5] })]).toEqual([
    true,
    false,
  ])
})

test('scalars: a bigint is given only for integers that a double cannot hold', () => {
  expect([parseExactScalar(long), parseExactScalar('12'), parseExactScalar('1e30'), parseExactScalar('"x"')]).toEqual([
    12345678901234567890n,
    12,
    1e30,
    'x',
  ])
  expect(parseExactScalar('1'.repeat(401))).toBe(Number.POSITIVE_INFINITY)
})
