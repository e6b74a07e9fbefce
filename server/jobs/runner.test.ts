import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { eachEngine } from '../../test/support/databases.ts'
import { aborted, heldUp, testNodes } from '../../test/support/job-nodes.ts'
import { recordingLog } from '../../test/support/recording-log.ts'
import { later } from '../kernel/clock.ts'
import { defineJob } from '../kit/job.ts'
import { cancelJob, currentLeader, loadJob, runJobNow } from '../kit/job-store.ts'
import { loadJobFigures } from '../kit/jobs/lease-store.ts'
import type { Store } from '../storage/open.ts'
import { inTransaction } from '../storage/transaction.ts'

eachEngine((engine) => {
  describe('runner', () => {
    test('a group runs only so many jobs at once, longest waiting first, and delays no other jobs', async () => {
      const { clock, start, ask } = await testNodes(engine)
      const group = { name: 'long', limit: () => 1 }
      const ran: string[] = []
      const { job, begun, letGo } = heldUp('greedy')
      const greedy = defineJob({
        ...job,
        group,
        run: async (deps, run) => {
          ran.push('greedy')
          if (ran.length > 1) return
          await job.run(deps, run)
          run.rescheduleAt(clock.now())
        },
      })
      const noting = (name: string) => defineJob({ name, run: async () => void ran.push(name) })
      const runner = await start([greedy, { ...noting('patient'), group }, noting('short')])
      await ask('greedy')
      const running = runner.runDue()
      await begun
      await ask('patient')
      clock.advance('1s')
      await ask('short')
      await expect.poll(() => ran).toEqual(['greedy', 'short'])
      letGo()
      await running
      await expect.poll(() => ran).toEqual(['greedy', 'short', 'patient', 'greedy'])
    })

    test('a repeating job runs when its time comes, again after its interval, and not in between', async () => {
      const { clock, start } = await testNodes(engine)
      const runs: number[] = []
      const job = defineJob({ name: 'tick', every: '10m', run: async (_deps, run) => void runs.push(run.fence) })
      const runner = await start([job])
      await runner.runDue()
      expect(runs).toHaveLength(1)
      clock.advance('9m')
      await runner.runDue()
      expect(runs).toHaveLength(1)
      clock.advance('1m')
      await runner.runDue()
      expect(runs).toHaveLength(2)
      clock.advance('5d')
      await runner.runDue()
      expect(runs).toHaveLength(3)
    })

    test('jitter delays each run by less than its limit', async () => {
      const { clock, db, start } = await testNodes(engine)
      const runner = await start([defineJob({ name: 'tick', every: '10m', jitter: '5m', run: async () => undefined })])
      const wait = async () => ((await loadJob(db, 'tick', '', clock.now()))?.nextRunAt ?? 0) - clock.now()
      expect(await wait()).toBeLessThan(300_000)
      clock.advance('5m')
      await runner.runDue()
      expect(await wait()).toBeGreaterThanOrEqual(600_000)
      expect(await wait()).toBeLessThan(900_000)
    })

    test('a time further ahead than interval and jitter, as after a jump of the clock, is corrected', async () => {
      const { clock, db, start } = await testNodes(engine)
      const tick = { every: '10m', jitter: '5m', run: async () => undefined }
      const runner = await start(['wrong', 'right'].map((name) => defineJob({ name, ...tick })))
      clock.advance('5m')
      await runner.runDue()
      for (const [kind, wait] of Object.entries({ wrong: 900_001, right: 900_000 }))
        await db
          .updateTable('jobs')
          .set({ next_run_at: clock.now() + wait })
          .where('kind', '=', kind)
          .execute()
      await runner.runDue()
      const times = ['wrong', 'right'].map(async (kind) => (await loadJob(db, kind, '', clock.now()))?.nextRunAt)
      expect(await Promise.all(times)).toEqual([clock.now() + 600_000, clock.now() + 900_000])
    })

    test('no more jobs run at once than the limit; only jobs of a group take places of the group', async () => {
      const { clock, start, ask } = await testNodes(engine)
      const [first, second, third] = [heldUp('first'), heldUp('second'), heldUp('third')]
      const grouped = { ...second.job, group: { name: 'few', limit: () => 1 } }
      const { log, text } = recordingLog()
      const noting = { ...third.job, run: async () => log.info({}, 'third') }
      const runner = await start([first.job, grouped, noting], { concurrency: 2 })
      for (const kind of ['first', 'second', 'third']) {
        await ask(kind)
        clock.advance('1s')
      }
      const running = runner.runDue()
      await Promise.all([first.begun, second.begun])
      await sleep(50)
      expect(text()).toBe('')
      first.letGo()
      await expect.poll(text).not.toBe('')
      second.letGo()
      await running
    })

    test('a newly scheduled job runs at once, without waiting for the next poll', async () => {
      const { start, ask } = await testNodes(engine)
      const done = Promise.withResolvers<unknown>()
      await start([defineJob({ name: 'mail', run: async (_deps, run) => done.resolve(run.payload) })])
      await ask('mail', 0, { to: 'ann' })
      expect(await done.promise).toEqual({ to: 'ann' })
    })

    test('a job can set the time of its next run with again()', async () => {
      const { clock, db, start, ask } = await testNodes(engine)
      const job = defineJob({
        name: 'poll',
        run: async (deps, run) => run.rescheduleAt(later(deps.clock.now(), 7_000)),
      })
      const runner = await start([job])
      await ask('poll')
      await runner.runDue()
      expect(await loadJob(db, 'poll', 'k', clock.now())).toMatchObject({ nextRunAt: clock.now() + 7_000 })
    })

    test('a failing job is retried after growing delays and keeps its error', async () => {
      const { clock, db, start, ask } = await testNodes(engine)
      const runner = await start([defineJob({ name: 'bad', run: () => Promise.reject(new Error('no disk')) })])
      await ask('bad')
      const waits: number[] = []
      for (let turn = 0; turn < 3; turn++) {
        await runner.runDue()
        const state = await loadJob(db, 'bad', 'k', clock.now())
        expect(state).toMatchObject({ attempts: turn + 1, lastError: 'no disk' })
        waits.push((state?.nextRunAt ?? 0) - clock.now())
        clock.advance('1h')
      }
      expect(waits).toEqual([5_000, 10_000, 20_000])
    })

    test('a job does not overlap with itself, and does not hold others back', async () => {
      const { clock, db, start, ask } = await testNodes(engine)
      const slow = heldUp()
      const quick = Promise.withResolvers<void>()
      await start([slow.job, defineJob({ name: 'quick', run: async () => quick.resolve() })])
      await ask('slow')
      await slow.begun
      await inTransaction(db, (tx) => runJobNow(tx, 'slow', 'k'))
      await ask('quick')
      await quick.promise
      expect(await loadJob(db, 'slow', 'k', clock.now())).toMatchObject({ isRunning: true, lastFinishedAt: null })
      slow.letGo()
    })

    test('the signal of a run aborts when its job is cancelled', async () => {
      const { db, start, ask } = await testNodes(engine)
      const slow = heldUp()
      await start([{ ...slow.job, lease: '90ms' }])
      await ask('slow')
      const run = await slow.begun
      expect(await run.renew()).toBe(true)
      const stopped = aborted(run.signal)
      await inTransaction(db, (tx) => cancelJob(tx, 'slow', 'k'))
      await expect(stopped).rejects.toThrow('lease of the job was lost')
    })

    test('a run longer than its lease renews the lease', async () => {
      const { clock, db, start, ask } = await testNodes(engine)
      const slow = heldUp()
      await start([{ ...slow.job, lease: '60ms' }])
      await ask('slow')
      const { signal } = await slow.begun
      clock.advance('50ms')
      const lease = db.selectFrom('jobs').select('lease_until').where('kind', '=', 'slow')
      await expect.poll(() => lease.executeTakeFirst()).toEqual({ lease_until: clock.now() + 60 })
      expect(signal.aborted).toBe(false)
      slow.letGo()
    })

    test('while the database does not answer, a lease holds for six tenths of its time', async () => {
      const { store, start, ask } = await testNodes(engine)
      let isDown = false
      const databaseNow = async () => (isDown ? Promise.reject(new Error('no connection')) : store.databaseNow())
      const on = new Proxy(store, {
        get: (of, name) => (name === 'databaseNow' ? databaseNow : Reflect.get(of, name, of)),
      })
      const slow = heldUp()
      const { log, text } = recordingLog()
      let at = 5_000
      await start([{ ...slow.job, lease: '100s' }], { on, log, monotonic: () => at })
      await ask('slow')
      const { renew } = await slow.begun
      const holdsAfter = (seconds: number) => {
        at += seconds * 1_000
        return renew()
      }
      isDown = true
      expect([await holdsAfter(59), await holdsAfter(2)]).toEqual([true, false])
      expect(text()).toContain('could not renew the lease of a job')
      isDown = false
      expect(await holdsAfter(0)).toBe(true)
      isDown = true
      expect([await holdsAfter(59), await holdsAfter(2)]).toEqual([true, false])
      isDown = false
      slow.letGo()
    })

    test('stop: a poll that has begun takes no more jobs', async () => {
      const { start, ask } = await testNodes(engine)
      const begun: string[] = []
      const noting = (name: string) =>
        defineJob({
          name,
          run: async () => {
            begun.push(name)
            void runner.stop()
          },
        })
      const names = ['first', 'second', 'third', 'fourth']
      for (const name of names) await ask(name)
      const runner = await start(names.map(noting))
      await runner.runDue()
      // The next one is being taken when the first begins.
      expect(begun.length).toBeLessThan(3)
    })

    test('stop aborts the runs, makes their jobs due at once and gives up the lead', async () => {
      const { clock, db, start, ask } = await testNodes(engine)
      const slow = heldUp()
      const { log, text } = recordingLog()
      const runner = await start([slow.job], { log })
      await ask('slow')
      const { signal } = await slow.begun
      await runner.stop()
      expect(signal.aborted).toBe(true)
      expect(text()).toMatch(/"error":"The server is stopping\.","message":"job interrupted"\}$/)
      expect(await loadJob(db, 'slow', 'k', clock.now())).toMatchObject({
        isRunning: false,
        nextRunAt: clock.now(),
        attempts: 0,
        lastError: null,
      })
      expect(await loadJobFigures(db, ['slow'], clock.now())).toMatchObject([{ due: 1, failing: 0 }])
      expect(await currentLeader(db, clock.now())).toBeUndefined()
    })

    test('a run that is stopped counts neither as a failure nor as a success', async () => {
      const { clock, db, start, ask } = await testNodes(engine)
      const bad = await start([defineJob({ name: 'slow', run: () => Promise.reject(new Error('no disk')) })])
      await ask('slow')
      await bad.runDue()
      await bad.stop()
      clock.advance('1h')
      const slow = heldUp()
      const runner = await start([slow.job])
      const running = runner.runDue()
      await slow.begun
      await runner.stop()
      await running
      expect(await loadJob(db, 'slow', 'k', clock.now())).toMatchObject({
        isRunning: false,
        nextRunAt: clock.now(),
        attempts: 1,
        lastError: 'no disk',
        lastOkAt: null,
      })
    })
  })
})

/** No process has an id this high. */
const deadProcess = 2 ** 30

async function crashedHolding(db: Store['db'], owner: string, until: number): Promise<void> {
  const held = { owner, lease_until: until }
  await db.updateTable('jobs').set(held).where('kind', '=', 'mail').execute()
  const lead = { name: 'leader', node: 'node-1', address: '', since: 0, fence: 1, ...held }
  await db.insertInto('leases').values(lead).execute()
}

eachEngine((engine) => {
  test.each([
    ['a process of this node that is no more', `node-1/${deadProcess}.1.x`, 1],
    ['an earlier process with the number of this one', `node-1/${process.pid}.1.x`, 1],
    ['a process that runs', `node-1/${process.ppid}.1.x`, 0],
    ['a process of another node', `node-2/${deadProcess}.1.x`, 0],
  ])('runner: whether the lease of %s is taken over at the start', async (_who, owner, taken) => {
    const { clock, db, start, ask } = await testNodes(engine)
    await ask('mail')
    await crashedHolding(db, owner, clock.now() + 14_000)
    let runs = 0
    const runner = await start([defineJob({ name: 'mail', run: async () => void runs++ })])
    await runner.runDue()
    expect(runs).toBe(taken)
  })
})

test('runner: two jobs of one name are refused', async () => {
  const { start } = await testNodes('sqlite')
  const job = defineJob({ name: 'twice', run: async () => undefined })
  await expect(start([job, job])).rejects.toThrow('Two jobs are named twice')
})
