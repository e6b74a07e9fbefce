import { expect, test } from 'vitest'
import { limitConcurrency } from './limit-concurrency.ts'

test('at most: limits concurrency, starts work in order, and a failure frees its slot', async () => {
  const twoAtOnce = limitConcurrency(2)
  const order: number[] = []
  let running = 0
  let most = 0
  const work = (number: number) => async () => {
    running += 1
    most = Math.max(most, running)
    order.push(number)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    if (number % 3 === 0) throw new Error('on purpose')
  }
  const run = () => Promise.allSettled(Array.from({ length: 20 }, (_, number) => twoAtOnce(work(number))))
  const inOrder = Array.from({ length: 20 }, (_, number) => number)
  await run()
  // With all slots free again the limit is the same.
  await run()
  expect(most).toBe(2)
  expect(order).toEqual([...inOrder, ...inOrder])
})

test('at most: whoever gives up waiting leaves the line, and nobody after it waits longer', async () => {
  const oneByOne = limitConcurrency(1)
  const first = Promise.withResolvers<void>()
  const leave = new AbortController()
  const order: string[] = []
  const note = (name: string) => async () => void order.push(name)
  const all = [
    oneByOne(() => first.promise),
    oneByOne(note('second'), leave.signal),
    oneByOne(note('third'), new AbortController().signal),
  ]
  leave.abort(new Error('gone'))
  await expect(all[1]).rejects.toThrow('gone')
  await expect(oneByOne(note('late'), leave.signal)).rejects.toThrow('gone')
  first.resolve()
  await Promise.all([all[0], all[2]])
  await oneByOne(note('fourth'), leave.signal)
  expect(order).toEqual(['third', 'fourth'])
})
