import { expect, test } from 'vitest'
import { UnsealProgress } from './seal-node-actions.ts'

test('unseal progress: a share that is given twice counts once, and its second copy is wiped', async () => {
  const progress = new UnsealProgress()
  const [first, again] = [Buffer.alloc(33, 7), Buffer.alloc(33, 7)]
  expect(await progress.add(first, 2, 'nonce')).toBeUndefined()
  expect(await progress.add(again, 2, 'nonce')).toBeUndefined()
  expect(progress.count).toBe(1)
  expect(again).toEqual(Buffer.alloc(33))
  expect(first).toEqual(Buffer.alloc(33, 7))
})

test('unseal progress: shares are wiped when they are given up, and when they do not fit together', async () => {
  const progress = new UnsealProgress()
  const shares = [Buffer.alloc(33, 7), Buffer.alloc(33, 8)]
  for (const share of shares) await progress.add(share, 3, 'nonce')
  expect(progress.count).toBe(2)
  progress.reset()
  expect([progress.count, progress.nonce, ...shares]).toEqual([0, '', Buffer.alloc(33), Buffer.alloc(33)])
  // Two shares with the same number and different values.
  const unfit = [Buffer.alloc(33, 7), Buffer.alloc(33, 8).fill(7, 32)]
  const add = async (share: Buffer | undefined) => share && (await progress.add(share, 2, 'nonce'))
  await add(unfit[0])
  await expect(add(unfit[1])).rejects.toThrow('do not fit together')
  expect(unfit).toEqual([Buffer.alloc(33), Buffer.alloc(33)])
})
