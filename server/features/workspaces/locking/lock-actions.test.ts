import { expect, test } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import { lockWhenFree } from './lock-actions.ts'

const deps = { clock: systemClock }
const signal = new AbortController().signal

/** Somebody else holds the workspace at the first looks. */
function heldFor(looks: number, code = 'lock.already-locked') {
  let seen = 0
  const lock = async () => {
    if (seen++ < looks) throw failure('conflict', code, 'Held.')
    return 'locked'
  }
  return { lock, looks: () => seen }
}

test('a wait ends with a last look, however short it is', async () => {
  expect(await lockWhenFree(deps, heldFor(1).lock, { milliseconds: 20, signal })).toBe('locked')
})

test('without time to wait there is one look', async () => {
  const held = heldFor(1)
  await expect(lockWhenFree(deps, held.lock, { milliseconds: 0, signal })).rejects.toThrow('Held.')
  expect(held.looks()).toBe(1)
})

test('what is refused for another reason is not waited for', async () => {
  const held = heldFor(1, 'lock.contended')
  await expect(lockWhenFree(deps, held.lock, { milliseconds: 60_000, signal })).rejects.toThrow('Held.')
  expect(held.looks()).toBe(1)
})
