import { expect, test } from 'vitest'
import { batchesOf } from './batches.ts'

test('lots: a list comes in pieces of at most 500, in its order and complete', () => {
  const all = Array.from({ length: 1_001 }, (_, number) => number)
  const lots = [...batchesOf(all)]
  expect(lots.map((lot) => lot.length)).toEqual([500, 500, 1])
  expect(lots.flat()).toEqual(all)
})

test('lots: an empty list gives no pieces', () => {
  expect([...batchesOf([])]).toEqual([])
})
