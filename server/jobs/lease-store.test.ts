import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { eachEngine, testStore } from '../../test/support/databases.ts'
import { type Instant, instant } from '../kernel/clock.ts'
import { cancelJob, isFenceCurrent, loadJob, runJobNow, scheduleJob } from '../kit/job-store.ts'
import type { Db } from '../storage/open.ts'
import { inTransaction } from '../storage/transaction.ts'
import { claimJob, ensureRepeating, finishJob, type HeldJob, renewJob, repairTimes } from './lease-store.ts'

const lease = 1_000
const at = (milliseconds: number): Instant => instant(1_000_000 + milliseconds)

const claim = (db: Db, now: Instant, owner = 'one', kinds = ['backup']) =>
  claimJob(db, { kinds, owner, now, leaseOf: () => lease })

async function held(db: Db, now: Instant, owner = 'one'): Promise<HeldJob> {
  const job = await claim(db, now, owner)
  if (!job) throw new Error('nothing to claim')
  return job
}

const schedule = (db: Db, nextRunAt: Instant, more: { every?: number; payload?: unknown } = {}) =>
  inTransaction(db, (tx) => scheduleJob(tx, { kind: 'backup', key: 'daily', nextRunAt, ...more }))

const isCurrent = (db: Db, job: HeldJob) => inTransaction(db, (tx) => isFenceCurrent(tx, job))

const state = (db: Db) => loadJob(db, 'backup', 'daily', at(0))

eachEngine((engine) => {
  describe('lease', () => {
    test('work is taken when it is due, not before, with what it is about', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(100), { payload: { target: 's3' } })
      expect(await claim(db, at(99))).toBeUndefined()
      expect(await claim(db, at(100), 'one', ['other'])).toBeUndefined()
      expect(await claim(db, at(100))).toMatchObject({ key: 'daily', payload: { target: 's3' }, attempts: 0 })
    })

    test.runIf(engine === 'sqlite')('run after run, the same statements are used', async () => {
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

    test('of many nodes that reach for it at the same moment, one gets it', async () => {
      const { db, openAnother } = await testStore(engine)
      const nodes = [db, (await openAnother()).db, (await openAnother()).db]
      await schedule(db, at(0))
      const claims = await Promise.all(
        Array.from({ length: 12 }, (_, turn) => claim(nodes[turn % 3] as Db, at(0), `node-${turn}`)),
      )
      expect(claims.filter((job) => job !== undefined)).toHaveLength(1)
    })

    test('many jobs and many nodes: each is taken once, and no fencing number is given twice', async () => {
      const { db, openAnother } = await testStore(engine)
      const nodes = [db, (await openAnother()).db]
      for (let number = 0; number < 10; number++) {
        const job = { kind: 'backup', key: `${number}`, nextRunAt: at(0) }
        await inTransaction(db, (tx) => scheduleJob(tx, job))
      }
      const takeAll = async (node: Db, owner: string): Promise<HeldJob[]> => {
        const jobs: HeldJob[] = []
        while (jobs.length < 20) {
          const job = await claim(node, at(0), owner)
          if (job) jobs.push(job)
          else if ((await db.selectFrom('jobs').selectAll().where('lease_until', '=', 0).execute()).length === 0) break
        }
        return jobs
      }
      const taken = (await Promise.all(nodes.map((node, number) => takeAll(node, `node-${number}`)))).flat()
      expect(taken.map((job) => job.key).sort()).toEqual(Array.from({ length: 10 }, (_, number) => `${number}`))
      expect(new Set(taken.map((job) => job.fence)).size).toBe(10)
    })

    test('a holder that died is replaced after its lease, with a higher fencing number', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(0))
      const dead = await held(db, at(0), 'dead')
      expect(await claim(db, at(lease - 1), 'heir')).toBeUndefined()
      const heir = await held(db, at(lease), 'heir')
      expect(heir.fence).toBeGreaterThan(dead.fence)
    })

    test('a holder that gives signs of life keeps it', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(0))
      const job = await held(db, at(0))
      expect(await renewJob(db, job, at(3 * lease))).toBe(true)
      expect(await claim(db, at(2 * lease), 'other')).toBeUndefined()
    })

    test('a stale holder can neither renew nor finish nor have an effect', async () => {
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

    test('while an effect is written under the fence, nobody can take the work over', async () => {
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
      const takeover = claim(other, at(lease), 'heir').then((job) => order.push(job ? 'takeover' : 'nothing'))
      await Promise.all([effect, takeover])
      expect(order).toEqual(['effect', 'takeover'])
    })
  })

  describe('schedule', () => {
    test('work that runs once is gone when it is done', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(0))
      const job = await held(db, at(0))
      expect(await finishJob(db, job, { now: at(10), nextRunAt: undefined, error: undefined })).toBe(true)
      expect(await state(db)).toBeUndefined()
    })

    test('work that repeats comes again, and a failure is kept with its count', async () => {
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

    test('asked for again during a run, the new time holds', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(0))
      const job = await held(db, at(0))
      await schedule(db, at(5_000), { payload: 'new' })
      await finishJob(db, job, { now: at(10), nextRunAt: undefined, error: undefined })
      expect(await state(db)).toMatchObject({ nextRunAt: at(5_000), isRunning: false })
      expect((await held(db, at(5_000))).payload).toBe('new')
    })

    test('withdrawn during a run, the run loses its lease, even if the same is asked for again', async () => {
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

    test('run now makes it due and leaves the rest alone', async () => {
      const { db } = await testStore(engine)
      expect(await inTransaction(db, (tx) => runJobNow(tx, 'backup', 'daily'))).toBe(false)
      await schedule(db, at(60_000), { every: 60_000, payload: 'kept' })
      expect(await inTransaction(db, (tx) => runJobNow(tx, 'backup', 'daily'))).toBe(true)
      expect(await held(db, at(0))).toMatchObject({ payload: 'kept', every: 60_000 })
    })

    test('a repeating job is added once, and follows a changed interval', async () => {
      const { db } = await testStore(engine)
      await ensureRepeating(db, 'sweep', 1_000, at(5))
      await ensureRepeating(db, 'sweep', 2_000, at(99))
      expect(await loadJob(db, 'sweep', '', at(0))).toMatchObject({ nextRunAt: at(5), every: 2_000 })
    })
  })

  describe('clock', () => {
    test('set back a day, a job that would rest and a lease that would hold until tomorrow are brought back', async () => {
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
      expect(await claim(db, at(60_000 - day + lease), 'other')).toBeDefined()
    })

    test('set forward ten days, one run makes up for all that were missed', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(0), { every: 60_000 })
      const later = 10 * 86_400_000
      const job = await held(db, at(later))
      await finishJob(db, job, { now: at(later), nextRunAt: at(later + 60_000), error: undefined })
      expect(await claim(db, at(later + 59_999))).toBeUndefined()
    })

    test('times that can be are left alone', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(60_100), { every: 60_000 })
      expect(await repairTimes(db, at(0), 100)).toBe(false)
      await inTransaction(db, (tx) => scheduleJob(tx, { kind: 'once', key: '', nextRunAt: at(1e10) }))
      expect(await repairTimes(db, at(0), 100)).toBe(false)
    })

    test('a lease that is renewed between the look at the clock and the repair is left alone', async () => {
      const { db } = await testStore(engine)
      await schedule(db, at(0), { every: 60_000 })
      const job = await held(db, at(0))
      const asked = at(400)
      expect(await renewJob(db, job, at(405 + lease))).toBe(true)
      expect(await repairTimes(db, asked, 100)).toBe(false)
    })
  })
})
