import { expect, test } from 'vitest'
import { KeyedMutex } from './keyed-mutex.ts'

test('turns: work on one key runs in sequence, work on other keys does not wait', async () => {
  const turns = new KeyedMutex()
  const seen: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = turns.run('a', async () => {
    seen.push('first begins')
    await gate.promise
    seen.push('first ends')
    return 1
  })
  const second = turns.run('a', async () => seen.push('second'))
  await turns.run('b', async () => seen.push('other'))
  expect(seen).toEqual(['first begins', 'other'])
  gate.resolve()
  expect(await first).toBe(1)
  await second
  expect(seen).toEqual(['first begins', 'other', 'first ends', 'second'])
})

test('turns: work that is asked for while another that had to wait is running waits too', async () => {
  const turns = new KeyedMutex()
  const gate = Promise.withResolvers<void>()
  const seen: string[] = []
  const first = turns.run('a', async () => 'first')
  const second = turns.run('a', async () => {
    await gate.promise
    seen.push('second')
  })
  await first
  const third = turns.run('a', async () => seen.push('third'))
  gate.resolve()
  await Promise.all([second, third])
  expect(seen).toEqual(['second', 'third'])
})

test('turns: a failure reaches only its own caller, and the next in line runs', async () => {
  const turns = new KeyedMutex()
  const failed = turns.run('a', () => Promise.reject(new Error('mine')))
  const next = turns.run('a', async () => 'next')
  await expect(failed).rejects.toThrow('mine')
  expect(await next).toBe('next')
})
