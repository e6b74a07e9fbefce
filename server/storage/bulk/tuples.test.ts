import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Column } from './table-shape.ts'
import { decodeTuple, TupleCutter, TupleEncoder, tupleEnd, type Value } from './tuples.ts'

const columns: readonly Column[] = [
  { name: 'name', type: 'text' },
  { name: 'count', type: 'integer' },
  { name: 'share', type: 'real' },
  { name: 'bytes', type: 'bytes' },
]

const row = fc.tuple(
  fc.option(fc.string({ unit: 'grapheme' })),
  fc.option(fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: 2n ** 60n, max: 2n ** 63n - 1n }))),
  fc.option(fc.double({ noNaN: true })),
  fc.option(fc.uint8Array({ maxLength: 2_000 })),
)

function encode(rows: readonly Value[][]): Buffer {
  const encoder = new TupleEncoder(columns)
  const parts: Buffer[] = []
  for (const each of rows) parts.push(Buffer.from(encoder.add(each) ?? []))
  return Buffer.concat([...parts, encoder.take() ?? Buffer.alloc(0)])
}

function decode(bytes: Buffer): Value[][] {
  const rows: Value[][] = []
  for (let at = 0; at < bytes.length; at = tupleEnd(bytes, at, columns.length))
    rows.push(decodeTuple(bytes, at, columns))
  return rows
}

const plain = (rows: readonly Value[][]) =>
  rows.map((each) => each.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)))

test('tuples: encoded rows are decoded to the same values', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 50 }), (rows) => {
      expect(plain(decode(encode(rows)))).toEqual(plain(rows))
    }),
  )
})

test.each([
  ['', Buffer.alloc(0)],
  [', and what ends a copy is told from a row', Buffer.from([0xff, 0xff])],
])('tuples: a stream cut anywhere gives whole tuples in order%s', (_name, trailer) => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 30 }), fc.array(fc.integer({ min: 1, max: 3_000 })), (rows, cuts) => {
      const tuples = encode(rows)
      const bytes = Buffer.concat([tuples, trailer])
      const cutter = new TupleCutter(columns.length)
      const out: Buffer[] = []
      let at = 0
      for (let turn = 0; at < bytes.length; turn++) {
        const piece = Buffer.from(bytes.subarray(at, at + (cuts[turn % Math.max(1, cuts.length)] ?? 7)))
        at += piece.length
        const whole = cutter.add(piece)
        if (whole) out.push(Buffer.from(whole))
        // A reader reuses the memory for the next piece.
        piece.fill(0x55)
      }
      const rest = cutter.finish(trailer)
      if (rest) out.push(rest)
      for (const whole of out) decode(whole)
      expect(Buffer.concat(out).equals(tuples)).toBe(true)
    }),
  )
})

test('tuples: rows after the end of a copy are refused', () => {
  const bytes = encode([['a', 1, 1, null]])
  const cutter = new TupleCutter(columns.length)
  expect(() => cutter.add(Buffer.concat([bytes, Buffer.from([0xff, 0xff]), bytes]))).toThrow('wrong number of columns')
})

test('tuples: a value larger than the buffer is decoded, and a truncated tuple is an error', () => {
  const large: Value[] = ['ä'.repeat(1_000_000), -1, 0.5, Buffer.alloc(3_000_000, 1)]
  const bytes = encode([large])
  expect(plain(decode(bytes))).toEqual(plain([large]))
  const cutter = new TupleCutter(columns.length)
  cutter.add(bytes.subarray(0, -1))
  expect(() => cutter.finish()).toThrow('cut off')
})

test('tuples: impossible lengths and counts are refused', () => {
  const bytes = encode([['a', 1, 1, null]])
  const forged = Buffer.from(bytes)
  forged.writeInt32BE(-2, 2)
  expect(() => tupleEnd(forged, 0, columns.length)).toThrow('claims a length')
  expect(() => tupleEnd(bytes, 0, 3)).toThrow('wrong number of columns')
  const short = Buffer.from(bytes)
  short.writeInt32BE(4, 2 + 4 + 1)
  expect(() => decodeTuple(short, 0, columns)).toThrow('number of 4 bytes')
})

test('tuples: a row whose values claim over 600 MB together is refused', () => {
  const begin = Buffer.alloc(2 + 4)
  begin.writeInt16BE(columns.length)
  begin.writeInt32BE(300 * 1024 * 1024, 2)
  const bytes = Buffer.concat([begin, Buffer.alloc(300 * 1024 * 1024), begin.subarray(2)])
  expect(() => tupleEnd(bytes, 0, columns.length)).toThrow('a row claims 629145')
})

test('tuples: a row that arrives byte by byte is assembled within five seconds', () => {
  const bytes = encode([['x'.repeat(100_000), 1, 1, null]])
  const cutter = new TupleCutter(columns.length)
  const start = performance.now()
  for (let at = 0; at < bytes.length; at++) cutter.add(bytes.subarray(at, at + 1))
  cutter.finish()
  expect(performance.now() - start).toBeLessThan(5_000)
})
