import { expect, test } from 'vitest'
import { failure } from '../kernel/failure.ts'
import { untilWritten } from './until-written.ts'

const contended = () => failure('conflict', 'thing.contended', 'The thing is being changed by others; try again.')

test('until written: an attempt that lost a race is repeated until it succeeds', async () => {
  const answers = [undefined, false, 'written', 'too late'] as const
  let tries = 0
  expect(await untilWritten(async () => answers[tries++], contended)).toBe('written')
  expect(tries).toBe(3)
})

test('until written: an empty list is a result, not a lost race', async () => {
  expect(await untilWritten<string[]>(async () => [], contended)).toEqual([])
})

test('until written: after a hundred lost attempts the given failure is thrown', async () => {
  let tries = 0
  const lose = async (): Promise<undefined> => {
    tries++
  }
  await expect(untilWritten(lose, contended)).rejects.toMatchObject({ kind: 'conflict', code: 'thing.contended' })
  expect(tries).toBe(100)
})

test('until written: an attempt that throws is not repeated', async () => {
  let tries = 0
  const refuse = async (): Promise<true> => {
    tries++
    throw failure('missing', 'thing.missing', 'There is no such thing.')
  }
  await expect(untilWritten(refuse, contended)).rejects.toMatchObject({ code: 'thing.missing' })
  expect(tries).toBe(1)
})
