import { expect, test } from 'vitest'
import { UnsealProgress } from './unseal-progress.ts'

test('unseal progress: a share that is given twice counts once, and its second copy is wiped', () => {
  const progress = new UnsealProgress()
  const [first, again] = [Buffer.alloc(33, 7), Buffer.alloc(33, 7)]
  expect(progress.add(first, 2, 'nonce')).toBeUndefined()
  expect(progress.add(again, 2, 'nonce')).toBeUndefined()
  expect(progress.count).toBe(1)
  expect(again).toEqual(Buffer.alloc(33))
  expect(first).toEqual(Buffer.alloc(33, 7))
})
