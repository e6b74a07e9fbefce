import { expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { failure } from '../../../../kernel/failure.ts'
import type { Store } from '../../../../storage/open.ts'
import { lockWhenFree, wakeFirstWaiter } from './lock-queue-actions.ts'

const { signal } = new AbortController()
const check = async () => undefined

/** A process of its own, with nobody waiting. */
const newProcess = () => ({ clock: systemClock, store: {} as Store })

/** A lock function that fails this many times because somebody else holds the lock. */
function heldFor(polls: number, code = 'lock.already-locked') {
  let seen = 0
  const lock = async () => {
    if (seen++ < polls) throw failure('conflict', code, 'Held.')
    return 'locked'
  }
  return { lock, check, polls: () => seen }
}

/** Lets everything run that waits for no timer; the next try of a waiter is a quarter of a second away. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve))
}

/** A lock that is held at first, and everybody who got it, in order. */
function contendedLock() {
  const got: string[] = []
  let holder = 'somebody'
  const waiter = (name: string) => ({
    check,
    lock: async () => {
      if (holder !== '') throw failure('conflict', 'lock.already-locked', `Held by ${holder}.`)
      holder = name
      got.push(name)
      return name
    },
  })
  const release = () => {
    holder = ''
  }
  const seize = () => {
    holder = 'a third'
  }
  return { got, waiter, release, seize }
}

test('lock wait: tries once more at its end, however short it is', async () => {
  expect(await lockWhenFree(newProcess(), 'ws', heldFor(1), { milliseconds: 20, signal })).toBe('locked')
})

test('lock wait: with no time to wait there is one attempt', async () => {
  const held = heldFor(1)
  await expect(lockWhenFree(newProcess(), 'ws', held, { milliseconds: 0, signal })).rejects.toThrow('Held.')
  expect(held.polls()).toBe(1)
})

test('lock wait: a refusal for another reason than being locked is not retried', async () => {
  const held = heldFor(1, 'lock.contended')
  await expect(lockWhenFree(newProcess(), 'ws', held, { milliseconds: 60_000, signal })).rejects.toThrow('Held.')
  expect(held.polls()).toBe(1)
})

test('lock wait: those who wait get the lock in the order in which they came', async () => {
  const { got, waiter, release } = contendedLock()
  const deps = newProcess()
  const names = ['first', 'second', 'third', 'fourth']
  const waiting = names.map(async (name) => {
    await lockWhenFree(deps, 'ws', waiter(name), { milliseconds: 20_000, signal })
    release()
  })
  release()
  await Promise.all(waiting)
  expect(got).toEqual(names)
})

test('lock wait: one who comes while others wait does not overtake them, even if the lock is free just then', async () => {
  const { got, waiter, release } = contendedLock()
  const deps = newProcess()
  const patience = { milliseconds: 20_000, signal }
  const first = lockWhenFree(deps, 'ws', waiter('first'), patience)
  // One try has failed by now, and the next is a while away.
  await new Promise((resolve) => setImmediate(resolve))
  release()
  const late = lockWhenFree(deps, 'ws', waiter('late'), patience)
  const elsewhere = await lockWhenFree(deps, 'another', heldFor(0), patience)
  await first
  expect([got, elsewhere]).toEqual([['first'], 'locked'])
  release()
  expect(await late).toBe('late')
})

test('lock wait: who leaves or runs out of time in the middle of the queue makes room and takes nothing', async () => {
  const { got, waiter, release } = contendedLock()
  const deps = newProcess()
  const leaving = new AbortController()
  const patience = { milliseconds: 20_000, signal }
  const first = lockWhenFree(deps, 'ws', waiter('first'), patience)
  await new Promise((resolve) => setImmediate(resolve))
  const gone = lockWhenFree(deps, 'ws', waiter('gone'), { ...patience, signal: leaving.signal })
  const short = lockWhenFree(deps, 'ws', waiter('short'), { ...patience, milliseconds: 1 })
  const last = lockWhenFree(deps, 'ws', waiter('last'), patience)
  leaving.abort(new Error('The client has gone.'))
  await expect(gone).rejects.toThrow('The client has gone.')
  await expect(short).rejects.toThrow('Held by somebody.')
  release()
  await first
  release()
  await last
  expect(got).toEqual(['first', 'last'])
})

test('lock wait: whose time is over in the queue is not told of the holder if it may not know that any more', async () => {
  const { waiter, release } = contendedLock()
  const deps = newProcess()
  const patience = { milliseconds: 20_000, signal }
  const first = lockWhenFree(deps, 'ws', waiter('first'), patience)
  await new Promise((resolve) => setImmediate(resolve))
  const refused = { ...waiter('refused'), check: () => Promise.reject(new Error('Not found.')) }
  await expect(lockWhenFree(deps, 'ws', refused, { ...patience, milliseconds: 1 })).rejects.toThrow('Not found.')
  release()
  await first
})

test('lock wait: when nobody waits any more, the next one tries at once', async () => {
  const deps = newProcess()
  await expect(lockWhenFree(deps, 'ws', heldFor(9), { milliseconds: 1, signal })).rejects.toThrow('Held.')
  const next = heldFor(0)
  expect(await lockWhenFree(deps, 'ws', next, { milliseconds: 1, signal })).toBe('locked')
  expect(next.polls()).toBe(1)
})

test('lock wait: a lock that is freed in the same process goes to the first who waits, at once', async () => {
  const { got, waiter, release } = contendedLock()
  const deps = newProcess()
  const patience = { milliseconds: 20_000, signal }
  const waiting = ['first', 'second', 'third'].map((name) => lockWhenFree(deps, 'ws', waiter(name), patience))
  await settle()
  const gotAfterEach: string[][] = []
  for (const _ of waiting) {
    release()
    wakeFirstWaiter(deps, 'ws')
    await settle()
    gotAfterEach.push([...got])
  }
  expect(gotAfterEach).toEqual([['first'], ['first', 'second'], ['first', 'second', 'third']])
  await Promise.all(waiting)
})

test('lock wait: who is woken and loses the lock to a third keeps its place', async () => {
  const { got, waiter, release, seize } = contendedLock()
  const deps = newProcess()
  const patience = { milliseconds: 20_000, signal }
  const waiting = ['first', 'second'].map((name) => lockWhenFree(deps, 'ws', waiter(name), patience))
  await settle()
  release()
  wakeFirstWaiter(deps, 'ws')
  seize()
  await settle()
  expect(got).toEqual([])
  release()
  wakeFirstWaiter(deps, 'ws')
  await settle()
  expect(got).toEqual(['first'])
  release()
  wakeFirstWaiter(deps, 'ws')
  await Promise.all(waiting)
  expect(got).toEqual(['first', 'second'])
})

test('lock wait: a lock that is freed while the first is being refused is tried again at once', async () => {
  const deps = newProcess()
  const { lock, polls } = heldFor(1)
  const freedMeanwhile = async () => {
    await settle()
    if (polls() === 0) wakeFirstWaiter(deps, 'ws')
    return await lock()
  }
  const waiting = lockWhenFree(deps, 'ws', { check, lock: freedMeanwhile }, { milliseconds: 20_000, signal })
  await settle()
  await settle()
  await settle()
  expect(polls()).toBe(2)
  expect(await waiting).toBe('locked')
})

test.each([
  ['many', 3, 0],
  // Each comes back while the other holds it, so that there are moments in which nobody waits here.
  ['two in turns', 2, 5],
])('lock wait: who waits in another process gets the lock that %s pass on in this one', async (_who, count, rest) => {
  const { got, waiter, release } = contendedLock()
  const [here, there] = [newProcess(), newProcess()]
  const patience = { milliseconds: 20_000, signal }
  let isOver = false
  const after = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
  const passOn = async (): Promise<void> => {
    while (!isOver) {
      await lockWhenFree(here, 'ws', waiter('here'), patience)
      await after(5 + 4 * rest)
      release()
      wakeFirstWaiter(here, 'ws')
      await after(rest)
    }
  }
  release()
  const crowd = Array.from({ length: count }, passOn)
  await expect.poll(() => got.length).toBeGreaterThan(20)
  const begun = performance.now()
  await lockWhenFree(there, 'ws', waiter('there'), patience)
  expect(performance.now() - begun).toBeLessThan(10_000)
  isOver = true
  release()
  await Promise.all(crowd)
})

test('lock wait: the lock of another workspace wakes nobody', async () => {
  const deps = newProcess()
  const held = heldFor(1)
  const waiting = lockWhenFree(deps, 'ws', held, { milliseconds: 20_000, signal })
  await settle()
  wakeFirstWaiter(deps, 'another')
  wakeFirstWaiter(newProcess(), 'ws')
  await settle()
  expect(held.polls()).toBe(1)
  wakeFirstWaiter(deps, 'ws')
  expect(await waiting).toBe('locked')
})

test('lock wait: whose time is over before the first has been answered tries by itself', async () => {
  const deps = newProcess()
  const answer = Promise.withResolvers<string>()
  const first = lockWhenFree(deps, 'ws', { check, lock: () => answer.promise }, { milliseconds: 20_000, signal })
  const short = heldFor(9)
  await expect(lockWhenFree(deps, 'ws', short, { milliseconds: 1, signal })).rejects.toThrow('Held.')
  expect(short.polls()).toBe(1)
  answer.resolve('locked')
  await first
})
