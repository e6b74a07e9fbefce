import { expect, test } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import { lockWhenFree } from './lock-actions.ts'

const deps = { clock: systemClock }
const signal = new AbortController().signal

/** A lock function that fails this many times because somebody else holds the lock. */
function heldFor(looks: number, code = 'lock.already-locked') {
  let seen = 0
  const lock = async () => {
    if (seen++ < looks) throw failure('conflict', code, 'Held.')
    return 'locked'
  }
  return { lock, looks: () => seen }
}

test('lock wait: tries once more at its end, however short it is', async () => {
  expect(await lockWhenFree(deps, heldFor(1).lock, { milliseconds: 20, signal })).toBe('locked')
})

test('lock wait: with no time to wait there is one attempt', async () => {
  const held = heldFor(1)
  await expect(lockWhenFree(deps, held.lock, { milliseconds: 0, signal })).rejects.toThrow('Held.')
  expect(held.looks()).toBe(1)
})

test('lock wait: a refusal for another reason than being locked is not retried', async () => {
  const held = heldFor(1, 'lock.contended')
  await expect(lockWhenFree(deps, held.lock, { milliseconds: 60_000, signal })).rejects.toThrow('Held.')
  expect(held.looks()).toBe(1)
})
