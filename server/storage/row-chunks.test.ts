import { expect, test } from 'vitest'
import { rowChunksOf } from './row-chunks.ts'

test('row chunks: a list comes in pieces of at most 500, in its order and complete', () => {
  const all = Array.from({ length: 1_001 }, (_, number) => number)
  const chunks = [...rowChunksOf(all)]
  expect(chunks.map((chunk) => chunk.length)).toEqual([500, 500, 1])
  expect(chunks.flat()).toEqual(all)
})

test('row chunks: an empty list gives no pieces', () => {
  expect([...rowChunksOf([])]).toEqual([])
})
