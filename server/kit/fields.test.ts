import { expect, test } from 'vitest'
import { Type } from './endpoint.ts'
import { field, parseFields } from './fields.ts'

const schema = Type.Object({
  text: field.text('t'),
  flag: field.flag('f'),
  held: field.flag('h', { default: true }),
  whole: field.whole('w'),
  ttl: field.seconds('d', { aliases: ['lease'] }),
  names: field.list('l'),
  meta: field.textMap('m'),
})

const parse = (raw: Record<string, unknown>) => parseFields(schema, raw).value as Record<string, unknown>

test.each([
  ['text', 'a', 'a'],
  ['text', 5, '5'],
  ['text', true, '1'],
  ['text', null, ''],
  ['flag', 'T', true],
  ['flag', 'False', false],
  ['flag', true, true],
  ['flag', 1, true],
  ['flag', 0, false],
  ['flag', '', false],
  ['flag', null, false],
  ['held', null, undefined],
  ['held', '', false],
  ['whole', '7', 7],
  ['whole', '0x10', 16],
  ['whole', '010', 8],
  ['whole', '', 0],
  ['whole', '-3', -3],
  ['whole', '+3', 3],
  ['whole', '0b11', 3],
  ['whole', true, 1],
  ['ttl', '1h30m', 5400],
  ['ttl', '1500ms', 1],
  ['ttl', '2d', 172_800],
  ['ttl', '', 0],
  ['ttl', null, undefined],
  ['ttl', 3600, 3600],
  ['names', 'a, b', ['a', 'b']],
  ['names', ['a,b'], ['a,b']],
  ['names', 'a,,b', ['a', '', 'b']],
  ['names', '', []],
  ['names', 5, ['5']],
  ['meta', { a: 1 }, { a: '1' }],
  ['meta', '{"a":"b"}', { a: 'b' }],
  ['meta', 'a=b,c=d', { a: 'b', c: 'd' }],
  ['meta', [' a = b=c\n', 'd='], { a: ' b=c\n', d: '' }],
])('fields: %s from %j is %j', (name, raw, expected) => {
  expect(parse({ [name]: raw })[name]).toEqual(expected)
})

test.each([
  [-5, /^Field 'ttl': cannot provide negative value '-5'\.$/],
  ['-5', /cannot provide negative value '-5'/],
  ['-1h30m', /cannot provide negative value '-1h30m'/],
  ['-', /must be a duration/],
  ['--5', /must be a duration/],
  [-1.5, /must be a duration/],
  ['soon', /must be a duration/],
])('fields: a duration of %j is refused with the reason', (raw, text) => {
  expect(() => parse({ ttl: raw })).toThrow(text)
})

test.each([
  ['text', '12345678901234567890'],
  ['text', '9007199254740993'],
  ['text', '-1e400'],
  ['names', '12345678901234567890'],
  ['names', '["a",12345678901234567890]'],
  ['meta', '{"id":12345678901234567890}'],
])('fields: %s from the JSON %s is refused, since its digits would be lost', (name, json) => {
  const text = `Field '${name}' holds a number that is too large to be read exactly; send it as a string.`
  expect(() => parse({ [name]: JSON.parse(json) })).toThrow(text)
})

test.each([
  ['text', []],
  ['text', {}],
  ['flag', 'yes'],
  ['flag', 'truest'],
  ['flag', 'untrue'],
  ['flag', 'falsely'],
  ['flag', 2],
  ['whole', 1.5],
  ['whole', 'seven'],
  ['whole', 'x7'],
  ['whole', '7x'],
  ['whole', '9007199254740993'],
  ['ttl', -1],
  ['ttl', '-1h'],
  ['ttl', '1w'],
  ['ttl', '1 h'],
  ['ttl', '3600.5'],
  ['ttl', 1.5],
  ['ttl', '1d12h'],
  ['ttl', true],
  ['names', {}],
  ['names', [['a']]],
  ['meta', 'plain'],
  ['meta', ' =b'],
  ['meta', ['a=b', 5]],
])('fields: %s refuses %j and the message names the field', (name, raw) => {
  expect(() => parse({ [name]: raw })).toThrow(`Field '${name}'`)
})

test('fields: lists and maps given as one text have at most 10,000 entries', () => {
  expect(parse({ names: Array(10_000).fill('a').join(',') }).names).toHaveLength(10_000)
  for (const raw of [{ names: 'a,'.repeat(10_000) }, { meta: 'a=b,'.repeat(10_000) }]) {
    expect(() => parse(raw)).toThrow(/^Field '(names|meta)' has more than 10000 entries\.$/)
  }
})

test('fields: a map of a million spaces is refused without delay', () => {
  expect(() => parse({ meta: ' '.repeat(1_000_000) })).toThrow("Field 'meta'")
})

test('fields: an alias is read when the name itself is absent, and unknown fields are reported sorted', () => {
  expect(parseFields(schema, { lease: '5s', zz: 1, aa: 2 })).toEqual({ value: { ttl: 5 }, unknown: ['aa', 'zz'] })
})

test('fields: names are case-insensitive, but two spellings of one name are refused', () => {
  expect(parseFields(schema, { TTL: '5s', Text: 'a', ZZ: 1 })).toEqual({
    value: { ttl: 5, text: 'a' },
    unknown: ['ZZ'],
  })
  expect(parseFields(schema, { Lease: '5s' })).toEqual({ value: { ttl: 5 }, unknown: [] })
  expect(() => parse({ ttl: '5s', TTL: '6s' })).toThrow("Field 'ttl' was sent in two spellings; send one of them.")
  expect(() => parse({ TTL: '5s', Ttl: '6s' })).toThrow("Field 'ttl' was sent in two spellings; send one of them.")
})
