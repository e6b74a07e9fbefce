import { expect, test, vi } from 'vitest'
import { eachEngine, testStore } from '../../test/support/databases.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import { silentLog } from '../kernel/log.ts'
import type { Deps } from '../kit/deps.ts'
import { createMetrics } from '../kit/metrics.ts'
import { createClockWatch } from './clock-watch.ts'

function watched(first = 0) {
  let skew = first
  const log = { ...silentLog, info: vi.fn(), warn: vi.fn() }
  const metrics = createMetrics()
  const store = { clockSkew: () => skew } as Deps['store']
  const look = createClockWatch({ store, metrics, log })
  const lookAt = (next: number): void => {
    skew = next
    look()
  }
  return { log, metrics, lookAt }
}

test('clock: a difference that begins, or ends, is told once, and a gauge shows it', async () => {
  const { log, metrics, lookAt } = watched()
  for (const skew of [4_900, 5_000, 4_500, -7_400, 5_100]) lookAt(skew)
  expect(log.warn.mock.calls).toEqual([[{ seconds: 5 }, 'the clock of this node differs from that of the database']])
  expect(await metrics.render()).toMatch(/^holdfast_clock_skew_seconds 5\.1$/m)
  for (const skew of [-3_999, 0]) lookAt(skew)
  expect(log.info).toHaveBeenCalledTimes(1)
  lookAt(-60_000)
  expect(log.warn).toHaveBeenLastCalledWith({ seconds: -60 }, expect.any(String))
})

test('clock: a difference that the start has told is not told again', () => {
  const { log, lookAt } = watched(60_000)
  lookAt(60_000)
  expect(log.warn).not.toHaveBeenCalled()
})

eachEngine((engine) => {
  test('clock: the store notes the difference whenever its time is asked for', async () => {
    let ahead = 0
    const clock = { ...systemClock, now: () => systemClock.now() + ahead } as Clock
    const { store } = await testStore(engine, { clock, databaseClock: 'server' })
    expect(store.clockSkew()).toBe(0)
    ahead = 60_000
    await store.databaseNow()
    // Answers that take too long are not counted, so a busy machine needs another try.
    await expect
      .poll(async () => {
        await store.databaseNow()
        return Math.round(store.clockSkew() / 5_000)
      })
      .toBe(engine === 'postgres' ? 12 : 0)
  })
})
