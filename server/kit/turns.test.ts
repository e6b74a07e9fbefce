import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('turns: work on one key runs in sequence, work on other keys does not wait', async () => {
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

test('turns: a failure reaches only its own caller, and the next in line runs', async () => {
  const turns = new Turns()
  const failed = turns.take('a', () => Promise.reject(new Error('mine')))
  const next = turns.take('a', async () => 'next')
  await expect(failed).rejects.toThrow('mine')
  expect(await next).toBe('next')
})
