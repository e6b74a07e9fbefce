import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { eachEngine, testStore } from '../../../test/support/databases.ts'
import { type Instant, instant } from '../../kernel/clock.ts'
import type { Db } from '../../storage/open.ts'
import { inTransaction } from '../../storage/transaction.ts'
import { cancelJob, isFenceCurrent, loadJob, runJobNow, scheduleJob } from '../job-store.ts'
import { ensureRepeating, finishJob, type HeldJob, renewJob, repairTimes, takeJob } from './lease-store.ts'

const lease = 1_000
const at = (milliseconds: number): Instant => instant(1_000_000 + milliseconds)

const take = (db: Db, now: Instant, owner = 'one', kinds = ['backup']) =>
  takeJob(db, { kinds, owner, now, leaseOf: () => lease })

async function held(db: Db, now: Instant, owner = 'one'): Promise<HeldJob> {
  const job = await take(db, now, owner)
  if (!job) throw new Error('nothing to take')
  return job
}

const schedule = (db: Db, nextRunAt: Instant, more: { every?: number; payload?: unknown } = {}) =>
  inTransaction(db, (tx) => scheduleJob(tx, { kind: 'backup', key: 'daily', nextRunAt, ...more }))

const isCurrent = (db: Db, job: HeldJob) => inTransaction(db, (tx) => isFenceCurrent(tx, job))

const state = (db: Db) => loadJob(db, 'backup', 'daily', at(0))

eachEngine((engine) => {
  describe('lease', () => {
    test('a job is taken when it is due, not before, only by its kind and with its payload', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(100), { payload: { target: 's3' } })
      expect(await take(db, at(99))).toBeUndefined()
      expect(await take(db, at(100), 'one', ['other'])).toBeUndefined()
      expect(await take(db, at(100))).toMatchObject({ key: 'daily', payload: { target: 's3' }, attempts: 0 })
    })

    test.runIf(engine === 'sqlite')('repeated runs prepare no new SQL statements', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(0), { every: 10 })
      const run = async (number: number) =>
        finishJob(db, await held(db, at(number)), { now: at(number), nextRunAt: at(number + 1), error: undefined })
      await run(1)
      const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare')
      onTestFinished(() => prepared.mockRestore())
      for (let number = 2; number < 6; number++) expect(await run(number)).toBe(true)
      expect(prepared).not.toHaveBeenCalled()
    })

    test('of several nodes that take a job concurrently, one gets it', async () => {
      const { db, openAnother } = await testStore(engine)
      const nodes = [db, (await openAnother()).db, (await openAnother()).db]
      await schedule(db, at(0))
      const taken = await Promise.all(
        Array.from({ length: 12 }, (_, turn) => take(nodes[turn % 3] as Db, at(0), `node-${turn}`)),
      )
      expect(taken.filter((job) => job !== undefined)).toHaveLength(1)
    })

    test('ten jobs and two nodes: each job is taken once, and every fencing number is unique', async () => {
      const { db, openAnother } = await testStore(engine)
      const nodes = [db, (await openAnother()).db]
      for (let number = 0; number < 10; number++) {
        const job = { kind: 'backup', key: `${number}`, nextRunAt: at(0) }
        await inTransaction(db, (tx) => scheduleJob(tx, job))
      }
      const takeAll = async (node: Db, owner: string): Promise<HeldJob[]> => {
        const jobs: HeldJob[] = []
        while (jobs.length < 20) {
          const job = await take(node, at(0), owner)
          if (job) jobs.push(job)
          else if ((await db.selectFrom('jobs').selectAll().where('lease_until', '=', 0).execute()).length === 0) break
        }
        return jobs
      }
      const taken = (await Promise.all(nodes.map((node, number) => takeAll(node, `node-${number}`)))).flat()
      expect(taken.map((job) => job.key).sort()).toEqual(Array.from({ length: 10 }, (_, number) => `${number}`))
      expect(new Set(taken.map((job) => job.fence)).size).toBe(10)
    })

    test('after its lease has expired a job is taken by another node with a higher fencing number', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(0))
      const dead = await held(db, at(0), 'dead')
      expect(await take(db, at(lease - 1), 'heir')).toBeUndefined()
      const heir = await held(db, at(lease), 'heir')
      expect(heir.fence).toBeGreaterThan(dead.fence)
    })

    test('a holder that renews its lease keeps the job', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(0))
      const job = await held(db, at(0))
      expect(await renewJob(db, job, at(3 * lease))).toBe(true)
      expect(await take(db, at(2 * lease), 'other')).toBeUndefined()
    })

    test('a stale holder can neither renew nor finish the job, and its fence is not current', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(0), { every: 500 })
      const stale = await held(db, at(0), 'slow')
      expect(await isCurrent(db, stale)).toBe(true)
      const heir = await held(db, at(lease), 'heir')
      expect(await renewJob(db, stale, at(9 * lease))).toBe(false)
      expect(await finishJob(db, stale, { now: at(lease), nextRunAt: at(9 * lease), error: undefined })).toBe(false)
      expect(await isCurrent(db, stale)).toBe(false)
      expect(await isCurrent(db, heir)).toBe(true)
      expect(await state(db)).toMatchObject({ nextRunAt: at(0), isRunning: true })
    })

    test('a job cannot be taken while a transaction writes under its fence', async () => {
      const { db, openAnother } = await testStore(engine)
      const other = (await openAnother()).db
      await schedule(db, at(0))
      const slow = await held(db, at(0), 'slow')
      const checked = Promise.withResolvers<void>()
      const order: string[] = []
      const effect = inTransaction(db, async (tx) => {
        expect(await isFenceCurrent(tx, slow)).toBe(true)
        checked.resolve()
        await new Promise((resolve) => setTimeout(resolve, 60))
        order.push('effect')
      })
      await checked.promise
      const takeover = take(other, at(lease), 'heir').then((job) => order.push(job ? 'takeover' : 'nothing'))
      await Promise.all([effect, takeover])
      expect(order).toEqual(['effect', 'takeover'])
    })
  })

  describe('schedule', () => {
    test('a one-time job is deleted when it is finished', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(0))
      const job = await held(db, at(0))
      expect(await finishJob(db, job, { now: at(10), nextRunAt: undefined, error: undefined })).toBe(true)
      expect(await state(db)).toBeUndefined()
    })

    test('a repeating job is due again, and a failure is kept with its attempt count', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(0), { every: 500 })
      const failed = await held(db, at(0))
      await finishJob(db, failed, { now: at(10), nextRunAt: at(20), error: 'no disk' })
      expect(await state(db)).toMatchObject({ attempts: 1, lastError: 'no disk', lastOkAt: null, nextRunAt: at(20) })
      const job = await held(db, at(20))
      expect(job.attempts).toBe(1)
      await finishJob(db, job, { now: at(30), nextRunAt: at(530), error: undefined })
      expect(await state(db)).toMatchObject({ attempts: 0, lastError: null, lastOkAt: at(30), nextRunAt: at(530) })
    })

    test('a job scheduled again during a run keeps the new time and payload', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(0))
      const job = await held(db, at(0))
      await schedule(db, at(5_000), { payload: 'new' })
      await finishJob(db, job, { now: at(10), nextRunAt: undefined, error: undefined })
      expect(await state(db)).toMatchObject({ nextRunAt: at(5_000), isRunning: false })
      expect((await held(db, at(5_000))).payload).toBe('new')
    })

    test('a job cancelled during a run loses its lease, even if it is scheduled again', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(0))
      const job = await held(db, at(0))
      expect(await inTransaction(db, (tx) => cancelJob(tx, 'backup', 'daily'))).toBe(true)
      expect(await inTransaction(db, (tx) => cancelJob(tx, 'backup', 'daily'))).toBe(false)
      expect(await renewJob(db, job, at(lease))).toBe(false)
      await schedule(db, at(0))
      const next = await held(db, at(0))
      expect(next.fence).toBeGreaterThan(job.fence)
      expect(await isCurrent(db, job)).toBe(false)
    })

    test('runJobNow makes a job due and keeps its payload and interval', async () => {
      const { db } = await testStore(engine)
      expect(await inTransaction(db, (tx) => runJobNow(tx, 'backup', 'daily'))).toBe(false)
      await schedule(db, at(60_000), { every: 60_000, payload: 'kept' })
      expect(await inTransaction(db, (tx) => runJobNow(tx, 'backup', 'daily'))).toBe(true)
      expect(await held(db, at(0))).toMatchObject({ payload: 'kept', every: 60_000 })
    })

    test('ensureRepeating adds a job once and updates its interval', async () => {
      const { db } = await testStore(engine)
      await ensureRepeating(db, 'sweep', 1_000, at(5))
      await ensureRepeating(db, 'sweep', 2_000, at(99))
      expect(await loadJob(db, 'sweep', '', at(0))).toMatchObject({ nextRunAt: at(5), every: 2_000 })
    })
  })

  describe('clock', () => {
    test('set back a day: next run and lease are moved back into range', async () => {
      const { db } = await testStore(engine)
      const day = 86_400_000
      await schedule(db, at(0), { every: 60_000 })
      const job = await held(db, at(0))
      await finishJob(db, job, { now: at(0), nextRunAt: at(60_000), error: undefined })
      expect(await repairTimes(db, at(-day), 100)).toBe(true)
      expect(await state(db)).toMatchObject({ nextRunAt: at(60_000 - day) })

      const again = await held(db, at(60_000))
      expect(again.fence).toBeGreaterThan(job.fence)
      expect(await repairTimes(db, at(60_000 - day), 100)).toBe(true)
      expect(await take(db, at(60_000 - day + lease), 'other')).toMatchObject({
        owner: 'other',
        fence: again.fence + 1,
      })
    })

    test('set forward ten days: one run replaces all missed ones', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(0), { every: 60_000 })
      const later = 10 * 86_400_000
      const job = await held(db, at(later))
      await finishJob(db, job, { now: at(later), nextRunAt: at(later + 60_000), error: undefined })
      expect(await take(db, at(later + 59_999))).toBeUndefined()
    })

    test('plausible times are left unchanged', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(60_100), { every: 60_000 })
      expect(await repairTimes(db, at(0), 100)).toBe(false)
      await inTransaction(db, (tx) => scheduleJob(tx, { kind: 'once', key: '', nextRunAt: at(1e10) }))
      expect(await repairTimes(db, at(0), 100)).toBe(false)
    })

    test('a lease renewed between reading the clock and the repair is left unchanged', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(0), { every: 60_000 })
      const job = await held(db, at(0))
      const asked = at(400)
      expect(await renewJob(db, job, at(405 + lease))).toBe(true)
      expect(await repairTimes(db, asked, 100)).toBe(false)
    })
  })
})
