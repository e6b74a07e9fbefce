import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { collectUncaught } from '../../test/support/uncaught.ts'
import { atTurnEnd } from './turn.ts'

test('turn: callbacks of atTurnEnd run once, in order, after the microtasks of the turn', async () => {
  const done: string[] = []
  atTurnEnd(() => done.push('first'))
  atTurnEnd(() => {
    done.push('second')
    atTurnEnd(() => done.push('asked for meanwhile'))
  })
  atTurnEnd(() => done.push('third'))
  await Promise.resolve()
  expect(done).toEqual([])
  await nextTurn()
  expect(done).toEqual(['first', 'second', 'third', 'asked for meanwhile'])
})

test('turn: a callback that throws stops no other, and its error stays uncaught', async () => {
  const uncaught = collectUncaught()
  const [error, done] = [new Error('no'), [] as string[]]
  atTurnEnd(() => {
    throw error
  })
  atTurnEnd(() => done.push('after it'))
  await nextTurn()
  await nextTurn()
  expect([uncaught, done]).toEqual([[error], ['after it']])
})
