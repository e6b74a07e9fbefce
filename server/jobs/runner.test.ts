import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testClock } from '../../test/support/clock.ts'
import { type Engine, eachEngine, testStore } from '../../test/support/databases.ts'
import { recordingLog } from '../../test/support/recording-log.ts'
import type { SealState } from '../crypto/keyring.ts'
import { later } from '../kernel/clock.ts'
import { randomIds } from '../kernel/ids.ts'
import { type Log, silentLog } from '../kernel/log.ts'
import type { Deps } from '../kit/deps.ts'
import { defineJob, type Job, type JobRun } from '../kit/job.ts'
import { cancelJob, currentLeader, loadJob, runJobNow, scheduleJob } from '../kit/job-store.ts'
import type { Store } from '../storage/open.ts'
import { inTransaction } from '../storage/transaction.ts'
import { type RunnerOptions, startJobs } from './runner.ts'

/** One or more nodes on the same database; the test controls their clock. */
async function testNodes(engine: Engine) {
  const clock = testClock()
  const { store, db, openAnother } = await testStore(engine, { clock })
  const start = async (
    jobs: Job[],
    { on = store, node = 'node-1', keyring = open, log = silentLog, ...options }: StartOptions = {},
  ) => {
    const settings = { nodeName: node, baseUrl: `https://${node}:8200` }
    const parts = { db: on.db, store: on, clock, ids: randomIds, log, settings, keyring }
    const deps = parts as unknown as Deps
    const runner = await startJobs(deps, jobs, { pollEvery: 60_000, ...options })
    onTestFinished(() => runner.stop())
    return runner
  }
  const ask = (kind: string, delay = 0, payload?: unknown) =>
    inTransaction(db, (tx) => scheduleJob(tx, { kind, key: 'k', nextRunAt: later(clock.now(), delay), payload }))
  return { clock, store, db, openAnother, start, ask }
}

type StartOptions = RunnerOptions & { on?: Store; node?: string; keyring?: { state: SealState }; log?: Log }

const open: { state: SealState } = { state: 'unsealed' }

/** A job that reports when it has begun and then waits to be released. */
function heldUp(name = 'slow') {
  const begun = Promise.withResolvers<JobRun>()
  const letGo = Promise.withResolvers<void>()
  const job = defineJob({
    name,
    lease: '3s',
    run: async (_deps, run) => {
      begun.resolve(run)
      await Promise.race([letGo.promise, aborted(run.signal)])
    },
  })
  return { job, begun: begun.promise, letGo: letGo.resolve }
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

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
      expect(await loadJob(db, 'slow', 'k', clock.now())).toMatchObject({ isRunning: false, nextRunAt: clock.now() })
      expect(await currentLeader(db, clock.now())).toBeUndefined()
    })
  })

  describe('lead', () => {
    test('one node leads and runs the jobs; another takes over when the lease of a dead leader expires', async () => {
      const { clock, db, openAnother, start, ask } = await testNodes(engine)
      const workers: string[] = []
      const job = (node: string) => defineJob({ name: 'mail', run: async () => void workers.push(node) })
      const first = await start([job('node-1')], { leadLease: 15_000 })
      await first.runDue()
      const second = await start([job('node-2')], { on: await openAnother(), node: 'node-2', leadLease: 15_000 })
      expect([first.isLeader, second.isLeader]).toEqual([true, false])
      await ask('mail')
      await second.runDue()
      await first.runDue()
      expect(workers).toEqual(['node-1'])
      expect(await currentLeader(db, clock.now())).toMatchObject({ node: 'node-1', address: 'https://node-1:8200' })

      // The first node no longer renews: its lease ends by the clock of the database.
      clock.advance('16s')
      await second.runDue()
      expect(second.isLeader).toBe(true)
      expect(await currentLeader(db, clock.now())).toMatchObject({ node: 'node-2' })
    })

    test('a sealed node gives up the lead, another takes over at once; unsealed it can lead again', async () => {
      const { openAnother, start, ask } = await testNodes(engine)
      const workers: string[] = []
      const job = (node: string) => defineJob({ name: 'mail', run: async () => void workers.push(node) })
      const keyring: { state: SealState } = { state: 'unsealed' }
      const first = await start([job('node-1')], { keyring })
      await first.runDue()
      const second = await start([job('node-2')], { on: await openAnother(), node: 'node-2' })
      keyring.state = 'sealed'
      await first.runDue()
      await ask('mail')
      await second.runDue()
      await first.runDue()
      expect([first.isLeader, second.isLeader]).toEqual([false, true])
      expect(workers).toEqual(['node-2'])
      keyring.state = 'unsealed'
      await second.stepDown()
      await first.runDue()
      expect(first.isLeader).toBe(true)
    })

    test('stepDown passes the lead to another node, and both log it', async () => {
      const { clock, db, openAnother, start } = await testNodes(engine)
      const [firstLog, secondLog] = [recordingLog(), recordingLog()]
      const first = await start([], { log: firstLog.log })
      await first.runDue()
      await first.runDue()
      const second = await start([], { on: await openAnother(), node: 'node-2', log: secondLog.log })
      await second.runDue()
      expect([firstLog.text(), secondLog.text()]).toEqual(['', ''])
      await first.stepDown()
      await second.runDue()
      await first.runDue()
      expect(firstLog.text()).toBe('{"message":"this node no longer leads background work"}')
      expect(secondLog.text()).toBe('{"message":"this node now leads background work"}')
      expect([first.isLeader, second.isLeader]).toEqual([false, true])
      expect(await currentLeader(db, clock.now())).toMatchObject({ node: 'node-2' })
    })

    test.runIf(engine === 'postgres')('stepDown during the attempt to take the lead gives it up', async () => {
      const { clock, db, start } = await testNodes(engine)
      const [isHeld, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const holding = inTransaction(db, async (tx) => {
        await sql`lock table leases in exclusive mode`.execute(tx)
        isHeld.resolve()
        await isOver.promise
      })
      await isHeld.promise
      const only = await start([])
      const waiting = sql`select pid from pg_locks where relation = 'leases'::regclass and not granted`
      await expect.poll(async () => (await waiting.execute(db)).rows).toHaveLength(1)
      const stepping = only.stepDown()
      isOver.resolve()
      await Promise.all([holding, stepping])
      await only.runDue()
      expect([only.isLeader, await currentLeader(db, clock.now())]).toEqual([false, undefined])
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

test.each([
  ['a process of this node that is no more', `node-1/${deadProcess}.1.x`, 1],
  ['an earlier process with the number of this one', `node-1/${process.pid}.1.x`, 1],
  ['a process that runs', `node-1/${process.ppid}.1.x`, 0],
  ['a process of another node', `node-2/${deadProcess}.1.x`, 0],
])('runner: whether the lease of %s is taken over at the start', async (_who, owner, taken) => {
  const { clock, db, start, ask } = await testNodes('sqlite')
  await ask('mail')
  await crashedHolding(db, owner, clock.now() + 14_000)
  let runs = 0
  const runner = await start([defineJob({ name: 'mail', run: async () => void runs++ })])
  await runner.runDue()
  expect(runs).toBe(taken)
})

test('runner: two jobs of one name are refused', async () => {
  const { start } = await testNodes('sqlite')
  const job = defineJob({ name: 'twice', run: async () => undefined })
  await expect(start([job, job])).rejects.toThrow('Two jobs are named twice')
})
