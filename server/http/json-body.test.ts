import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Failure } from '../kernel/failure.ts'
import { parseJson } from './json-body.ts'

const limits = { maxDepth: 500, maxEntries: 10_000, maxTotalEntries: 100_000, maxString: 1024 * 1024, allowsNul: false }

const parse = (text: string, within = limits): unknown => parseJson(Buffer.from(text), within)

function refusal(run: () => unknown): Failure {
  try {
    run()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('It was accepted.')
}

test('json: any output of JSON.stringify is parsed back to the same value, with or without indentation', () => {
  const documents = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__'))
  fc.assert(
    fc.property(documents, fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent)
      expect(parse(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('json: text that JSON.parse rejects is malformed; the message gives line and column and quotes no input', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', '"', ',', '}', '{', ']', '[', ':', '\\', 'x', '1'),
      (text, at, put) => {
        const broken = text.slice(0, at % text.length) + put + text.slice((at % text.length) + 1)
        if (broken.includes('__proto__') || isJson(broken)) return
        const { kind, message } = refusal(() => parse(broken))
        expect(kind).toBe('malformed')
        expect(message).toMatch(/^The body cannot be read as JSON: [A-Za-z0-9' _]+ \(line \d+, column \d+\)\.$/)
      },
    ),
  )
})

test.each([
  ['{"a":1,}', 1, 8],
  ['{\n  "a": tru\n}', 2, 8],
  ['{"password":"hunter2","b":hunter3}', 1, 27],
  ['[1, 2', 1, 6],
  ['', 1, 1],
  ['[,]', 1, 2],
  ['{"a":}', 1, 6],
  ['\ufeff{}', 1, 1],
])('json: %j is refused at line %i, column %i', (text, line, column) => {
  const { message } = refusal(() => parse(text))
  expect(message).toContain(`line ${line}, column ${column}`)
  expect(message).not.toContain('hunter')
})

test.each([
  ['{"a":1,"a":2}'],
  ['{"a":1,"\\u0061":2}'],
  ['{"x":{"b":[],"c":0,"b":{}}}'],
  ['[{"a":1},{"k":1,"l":2,"m":3,"k":4}]'],
  ['{"":1,"":2}'],
])('json: a duplicate key in one object is refused: %s', (text) => {
  expect(refusal(() => parse(text)).message).toContain('twice')
})

test('json: the same key in different objects is fine', () => {
  expect(parse('[{"a":{"a":1}},{"a":2}]')).toEqual([{ a: { a: 1 } }, { a: 2 }])
})

test.each(['{"__proto__":{"admin":true}}', '{"a":[{"b":1,"__proto__":null}]}', '{"\\u005f_proto__":1}'])(
  'json: the key __proto__ is refused: %s',
  (text) => expect(refusal(() => parse(text)).kind).toBe('malformed'),
)

test('json: __proto__ as a value, and constructor as a key, are plain data', () => {
  const read = parse('{"a":"__proto__","constructor":{"prototype":{"admin":true}}}') as Record<string, unknown>
  expect(read.a).toBe('__proto__')
  expect(Object.hasOwn(read, 'constructor')).toBe(true)
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
  expect('admin' in {}).toBe(false)
})

test.each([
  ['a lone byte', [0x22, 0xff, 0x22]],
  ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
  ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ['a cut-off character', [0x22, 0xe2, 0x82, 0x22]],
])('json: %s is refused as invalid UTF-8', (_name, bytes) => {
  expect(refusal(() => parseJson(Buffer.from(bytes), limits)).code).toBe('body.encoding')
})

test('json: a NUL is refused, in a value and in a key', () => {
  expect(refusal(() => parse('{"a":"x\\u0000"}')).message).toContain('NUL')
  expect(refusal(() => parse('{"\\u0000":1}')).message).toContain('NUL')
  expect(parse('["\\\\u0000"]')).toEqual(['\\u0000'])
})

test('json: half a surrogate pair is refused, a whole one and an escaped backslash are not', () => {
  expect(refusal(() => parse('{"a":"\\ud83d"}')).message).toContain('surrogate')
  expect(refusal(() => parse('{"\\ude00":1}')).message).toContain('surrogate')
  expect(parse('["\\ud83d\\ude00","\\\\ud83d"]')).toEqual(['😀', '\\ud83d'])
})

test('json: depth, entries and string length are accepted up to the exact limit and refused one above it', () => {
  const few = { ...limits, maxDepth: 3, maxEntries: 4, maxString: 5 }
  expect(parse('[[[1]]]', few)).toEqual([[[1]]])
  expect(refusal(() => parse('[[[[1]]]]', few)).message).toContain('3 levels')
  expect(parse('[1,2,3,4]', few)).toHaveLength(4)
  expect(refusal(() => parse('[1,2,3,4,5]', few)).message).toContain('4 entries')
  expect(parse('{"a":1,"b":1,"c":1,"d":1}', few)).toHaveProperty('d')
  expect(refusal(() => parse('{"a":1,"b":1,"c":1,"d":1,"e":1}', few)).message).toContain('object has over 4 entries')
  expect(parse('["12345"]', few)).toEqual(['12345'])
  expect(refusal(() => parse('["123456"]', few)).message).toContain('5 characters')
  expect(refusal(() => parse('{"123456":1}', few)).message).toContain('5 characters')
  expect(parse('[[1,2],[3,4]]', few)).toHaveLength(2)
})

test('json: the total number of entries is limited across all nested lists and objects', () => {
  const few = { ...limits, maxEntries: 4, maxTotalEntries: 40 }
  const [list, object] = ['[1,2,3,4]', '{"a":1,"b":2,"c":3,"d":4}']
  const forty = `[[${list},${object},${list},${object}],[${list},${object},${list},5],6,7]`
  expect(parse(forty, few)).toHaveLength(4)
  expect(refusal(() => parse(forty.replace('7', '[]'), few)).message).toContain('over 40 entries in all')
})

test.each([
  ['lists', '[]'],
  ['numbers', '1'],
  ['objects', '{"a":1}'],
  ['deep lists', '['.repeat(400) + ']'.repeat(400)],
  ['wide objects', `{${Array.from({ length: 9_000 }, (_, i) => `"${i}":0`).join()}}`],
])('json: megabytes of %s in nested lists are refused by the limit on entries in all', (_name, leaf) => {
  const row = `[${Array(Math.min(9_000, Math.ceil(1_000_000 / leaf.length))).fill(leaf)}]`
  const text = `[${Array(Math.ceil(8_000_000 / row.length)).fill(row)}]`
  expect(refusal(() => parse(text)).message).toContain('over 100000 entries in all')
})

test.each([
  ['blanks', `{${' '.repeat(5_000_000)}}`],
  ['digits', `[${'1'.repeat(5_000_000)}]`],
])('json: megabytes of %s outside strings are refused, inside a string they are accepted', (_name, text) => {
  expect(refusal(() => parse(text)).message).toContain('apart from its strings')
  expect(parse(`["${text.slice(1, 1_000_000)}"]`)).toHaveLength(1)
})

test.each([
  ['brackets', '['.repeat(8_000_000)],
  ['braces', '{"a":'.repeat(1_000_000)],
  ['commas', `[${'1,'.repeat(4_000_000)}1]`],
  ['keys', `{${Array.from({ length: 200_000 }, (_, i) => `"${i}":1`).join()}}`],
  ['an unended string', `["${'a'.repeat(8_000_000)}`],
  ['backslashes', `["${'\\'.repeat(8_000_000)}"]`],
  ['escaped quotes', `["${'\\"'.repeat(4_000_000)}"]`],
])('json: megabytes of %s are refused within ten seconds', (_name, text) => {
  const bytes = Buffer.from(text)
  const begin = performance.now()
  expect(refusal(() => parseJson(bytes, limits)).kind).toBe('malformed')
  expect(performance.now() - begin).toBeLessThan(10_000)
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    return !(error instanceof SyntaxError)
  }
}
