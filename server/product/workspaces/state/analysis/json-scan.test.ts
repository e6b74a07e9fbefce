import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExact, writeExact } from '../../../../kernel/exact-json.ts'
import { JsonScanner, type Reading } from './json-scan.ts'
import { NotJson } from './json-syntax.ts'

type Prune = Reading['prune']

/** Scans a text in pieces of this many bytes. */
function scan(text: string, size: number, prune: Prune = () => 'keep'): unknown {
  const scanner = new JsonScanner({ prune })
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += size) scanner.push(bytes.subarray(from, from + size))
  return scanner.end()
}

const plain = (value: unknown): unknown => parseExact(writeExact(value))

test('scan: reads any document in chunks of any size as the whole parser does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), fc.boolean(), (value, size, indented) => {
      const text = JSON.stringify(value, null, indented ? 2 : undefined)
      expect(plain(scan(text, size))).toEqual(parseExact(text))
    }),
    { numRuns: 500 },
  )
})

test.each([1, 2, 3, 1000])('scan: escapes split at the edges of chunks of %i bytes are read correctly', (size) => {
  const value = { 'a"\\': ['\\', '\\\\"', 'é\u2028😀', ''], b: '"' }
  expect(plain(scan(JSON.stringify(value), size))).toEqual(value)
})

test.each([
  ['{"it":1}', null],
  ['{ \n "it" : 1 }', null],
  ['{"other":1,"it":2}', { other: 1, it: 2 }],
  ['{"its":1}', { its: 1 }],
  ['{"i":1}', { i: 1 }],
  ['{}', {}],
  ['["it"]', ['it']],
  ['"it"', 'it'],
  ['7', 7],
])('scan: prune can decide by the first key of %j whether the part is kept', (part, kept) => {
  const prune: Prune = (path, _kept, begins) => (path.length === 1 && begins('it') ? 'blank' : 'keep')
  expect(scan(`[${part}]`, 1000, prune)).toEqual([kept])
})

test.each([1, 7, 1000])(
  'scan: blank parts become null and keep their place, dropped ones are gone, in chunks of %i bytes',
  (size) => {
    const value = { keep: [{ deep: 'x"y', n: 1 }, { deep: [1, 2] }, 3], other: true }
    const pruned = (fate: 'blank' | 'drop') =>
      plain(scan(JSON.stringify(value), size, (path) => (path.length === 2 && path[0] === 'keep' ? fate : 'keep')))
    expect(pruned('blank')).toEqual({ keep: [null, null, null], other: true })
    expect(pruned('drop')).toEqual({ keep: [], other: true })
  },
)

test.each([
  '',
  ' ',
  '{',
  '[1,]',
  '{"a":1,}',
  '{"a" 1}',
  '{a:1}',
  '[1 2]',
  '"open',
  '01',
  'nul',
  '1 2',
  '{}}',
  '[}',
  '{"a":}',
  ',',
  `${'['.repeat(600)}${']'.repeat(600)}`,
])('scan: %j is refused as invalid JSON', (text) => {
  for (const size of [1, 1000]) expect(() => scan(text, size)).toThrow(NotJson)
})

test.each([
  '{"a":{"b":nope}}',
  '{"a":[1\n  2]}',
  '{"a":[-\n  1]}',
  '{"a":{"b"\n  1}}',
  '{"a":["x\n  y"]}',
  '{"a":[tr\n  ue]}',
])('scan: %j is refused as invalid JSON also inside a pruned part', (text) => {
  for (const size of [1, 4, 1000]) expect(() => scan(text, size, () => 'drop')).toThrow(NotJson)
})

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('scan: a pruned part with random damage is accepted exactly when JSON.parse accepts it', () => {
  const spoil = fc.record({
    value: fc.jsonValue(),
    at: fc.nat(),
    put: fc.constantFrom(
      '',
      '"',
      '\\',
      ',',
      ':',
      ']',
      '}',
      '[',
      '{',
      '0',
      '-',
      '.',
      'e',
      '+',
      'u',
      't',
      ' ',
      '\n',
      '\\u00e9',
      '\\x',
    ),
    size: fc.integer({ min: 1, max: 9 }),
  })
  fc.assert(
    fc.property(spoil, ({ value, at, put, size }) => {
      const whole = JSON.stringify(value)
      const place = at % whole.length
      const text = `{"a":[${whole.slice(0, place)}${put}${whole.slice(place + 1)}]}`
      let accepted = true
      try {
        scan(text, size, (path) => (path[0] === 'a' ? 'drop' : 'keep'))
      } catch (error) {
        if (!(error instanceof NotJson)) throw error
        accepted = false
      }
      expect(accepted, text).toBe(isJson(text))
    }),
    { numRuns: 3_000 },
  )
})

test('scan: a pruned part that is nested too deeply is refused', () => {
  const deep = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
  expect(scan(deep(500), 1000, () => 'drop')).toEqual({})
  expect(() => scan(deep(600), 1000, () => 'drop')).toThrow('nested too deeply')
})

test.each([1, 1000])('scan: reduce replaces arrays and objects as they are read, in chunks of %i bytes', (size) => {
  const scanner = new JsonScanner({
    prune: () => 'keep',
    reduce: (path, value) => (path.length === 2 ? Object.keys(value as object).length : value),
  })
  const bytes = Buffer.from('{"list":[{"a":1,"b":2},3,[]],"other":{"x":{}}}')
  for (let from = 0; from < bytes.length; from += size) scanner.push(bytes.subarray(from, from + size))
  expect(scanner.end()).toEqual({ list: [2, 3, 0], other: { x: 0 } })
})

test('scan: a __proto__ key becomes an own property and changes no prototype', () => {
  const read = scan('{"__proto__":{"polluted":true}}', 3) as Record<string, unknown>
  expect(Object.keys(read)).toEqual(['__proto__'])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})
