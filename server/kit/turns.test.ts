import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('turns: work on one thing follows, work on others does not wait', async () => {
  const turns = new Turns()
  const seen: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = turns.take('a', async () => {
    seen.push('first begins')
    await gate.promise
    seen.push('first ends')
    return 1
  })
  const second = turns.take('a', async () => seen.push('second'))
  await turns.take('b', async () => seen.push('other'))
  expect(seen).toEqual(['first begins', 'other'])
  gate.resolve()
  expect(await first).toBe(1)
  await second
  expect(seen).toEqual(['first begins', 'other', 'first ends', 'second'])
})

test('turns: a failure is its own, and those behind it have their turn', async () => {
  const turns = new Turns()
  const failed = turns.take('a', () => Promise.reject(new Error('mine')))
  const next = turns.take('a', async () => 'next')
  await expect(failed).rejects.toThrow('mine')
  expect(await next).toBe('next')
})
