import { expect, onTestFinished, test, vi } from 'vitest'
import { instant } from '../kernel/clock.ts'
import { randomIds } from '../kernel/ids.ts'
import { secret } from '../kernel/secret.ts'
import { Keyring } from './keyring.ts'
import { copyForSaving, newRing, unwrapRing, wrapRing } from './ring.ts'

const clock = { now: () => instant(1_700_000_000_000) }
const isWiped = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0)

/** Holds on to the buffers that rings are written into. */
function plainRings(): () => Buffer[] {
  const spy = vi.spyOn(Buffer, 'alloc')
  onTestFinished(() => spy.mockRestore())
  return () => spy.mock.results.map(({ value }) => value as Buffer)
}

test('ring: copying, wrapping and opening leave no plain bytes behind', () => {
  const ring = newRing({ ids: randomIds, clock })
  const rootKey = randomIds.bytes(32)
  const written = plainRings()
  const copy = copyForSaving(ring)
  const wrapped = wrapRing(ring, rootKey, randomIds)
  expect(written().length).toBeGreaterThanOrEqual(2)
  expect(written().filter((bytes) => bytes.includes(ring.hashKey))).toEqual([])
  expect(copy.hashKey).toEqual(ring.hashKey)
  expect(unwrapRing(wrapped, rootKey).active.key).toEqual(ring.active.key)
})

test('ring: the plain bytes are wiped even if wrapping fails', () => {
  const ring = newRing({ ids: randomIds, clock })
  const written = plainRings()
  const ids = {
    bytes: () => {
      throw new Error('no random numbers')
    },
  }
  expect(() => wrapRing(ring, randomIds.bytes(32), ids)).toThrow('no random numbers')
  expect(written().filter((bytes) => bytes.includes(ring.hashKey))).toEqual([])
})

test('keyring: locking wipes the hash key and all data keys', async () => {
  const made: Buffer[] = []
  const ids = {
    ...randomIds,
    bytes: (length: number) => {
      const bytes = randomIds.bytes(length)
      if (length === 32) made.push(bytes)
      return bytes
    },
  }
  const keyring = Keyring.create({ ids, clock }, secret(randomIds.bytes(32)))
  const [key, hashKey] = made
  expect([key, hashKey].map((bytes) => bytes && isWiped(bytes))).toEqual([false, false])
  await keyring.rotate(async () => undefined)
  // A rotation works on a copy, so what it replaces is wiped.
  expect(made.slice(0, 2).map(isWiped)).toEqual([true, true])
  const newest = made.at(-1)
  expect(newest && isWiped(newest)).toBe(false)
  keyring.lock()
  expect(made.map(isWiped)).toEqual(made.map(() => true))
})
