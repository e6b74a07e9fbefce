import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BodyPieces, isScattered } from './body.ts'

test('body pieces: whatever their sizes, they are put together in their order', () => {
  const sizes = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom(1023, 1024, 5_000, 16 * 1024, 40_000))
  fc.assert(
    fc.property(fc.array(sizes, { maxLength: 60 }), (lengths) => {
      const sent = lengths.map((length, index) => Buffer.alloc(length, index + 1))
      const pieces = new BodyPieces()
      for (const piece of sent) pieces.add(piece)
      expect(pieces.count).toBe(sent.length)
      expect(pieces.whole().equals(Buffer.concat(sent))).toBe(true)
      expect(pieces.size).toBe(pieces.whole().length)
    }),
  )
})

test('body pieces: a single piece is not copied, small ones after it are', () => {
  const pieces = new BodyPieces()
  const first = Buffer.from('all of it')
  pieces.add(first)
  expect(pieces.whole()).toBe(first)
  const small = Buffer.from('more')
  pieces.add(small)
  small.fill(0)
  expect(pieces.whole().toString()).toBe('all of itmore')
})

test('body pieces: small ones between large ones take little more memory than their bytes', () => {
  const pieces = new BodyPieces()
  const [small, large] = [Buffer.alloc(1), Buffer.alloc(1024)]
  const before = process.memoryUsage().arrayBuffers
  for (let pairs = 0; pairs < 5_000; pairs++) {
    pieces.add(small)
    pieces.add(large)
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(pieces.size)
})

test.each<[chunks: number, bytes: number, expected: boolean]>([
  [1_000, 1_000, false],
  [1_001, 1_001, true],
  [1_001, 1_001 * 32 - 1, true],
  [1_001, 1_001 * 32, false],
  [1, 0, false],
])('scattered: %d chunks of %d bytes together: %s', (chunks, bytes, expected) => {
  expect(isScattered(chunks, bytes)).toBe(expected)
})
