import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { collectUncaught } from '../../test/support/uncaught.ts'
import { runAfterPendingInput } from './event-loop.ts'

test('event loop: callbacks of runAfterPendingInput run once, in order, after the microtasks of the turn', async () => {
  const done: string[] = []
  runAfterPendingInput(() => done.push('first'))
  runAfterPendingInput(() => {
    done.push('second')
    runAfterPendingInput(() => done.push('asked for meanwhile'))
  })
  runAfterPendingInput(() => done.push('third'))
  await Promise.resolve()
  expect(done).toEqual([])
  await nextTurn()
  expect(done).toEqual(['first', 'second', 'third', 'asked for meanwhile'])
})

test('event loop: a callback that throws stops no other, and its error stays uncaught', async () => {
  const uncaught = collectUncaught()
  const [error, done] = [new Error('no'), [] as string[]]
  runAfterPendingInput(() => {
    throw error
  })
  runAfterPendingInput(() => done.push('after it'))
  await nextTurn()
  await nextTurn()
  expect([uncaught, done]).toEqual([[error], ['after it']])
})
