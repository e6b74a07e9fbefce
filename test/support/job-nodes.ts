import { onTestFinished } from 'vitest'
import type { SealState } from '../../server/crypto/keyring.ts'
import { type RunnerOptions, startJobs } from '../../server/jobs/runner.ts'
import { later } from '../../server/kernel/clock.ts'
import { randomIds } from '../../server/kernel/ids.ts'
import { type Log, silentLog } from '../../server/kernel/log.ts'
import type { Deps } from '../../server/kit/deps.ts'
import { defineJob, type Job, type JobRun } from '../../server/kit/job.ts'
import { scheduleJob } from '../../server/kit/job-store.ts'
import { createMetrics, type Metrics } from '../../server/kit/metrics.ts'
import type { Store } from '../../server/storage/open.ts'
import { inTransaction } from '../../server/storage/transaction.ts'
import { testClock } from './clock.ts'
import { type Engine, testStore } from './databases.ts'

/** One or more nodes on the same database; the test controls their clock. */
export async function testNodes(engine: Engine) {
  const clock = testClock()
  const { store, db, openAnother } = await testStore(engine, { clock })
  const start = async (
    jobs: Job[],
    {
      on = store,
      node = 'node-1',
      keyring = open,
      log = silentLog,
      metrics = createMetrics(),
      monotonic = clock.monotonic,
      ...options
    }: StartOptions = {},
  ) => {
    const own = { nodeName: node, nodeAddress: `https://${node}:9200`, version: '1.2.3', compatVersion: '1.21.0+ent' }
    const settings = { ...own, baseUrl: `https://${node}:8200` }
    const common = { ids: randomIds, log, settings, keyring, metrics }
    const deps = { ...common, db: on.db, store: on, clock: { ...clock, monotonic } } as unknown as Deps
    const runner = await startJobs(deps, jobs, { pollEvery: 60_000, ...options })
    onTestFinished(() => runner.stop())
    return runner
  }
  const ask = (kind: string, delay = 0, payload?: unknown) =>
    inTransaction(db, (tx) => scheduleJob(tx, { kind, key: 'k', nextRunAt: later(clock.now(), delay), payload }))
  return { clock, store, db, openAnother, start, ask }
}

/** How a test wants a node. */
type StartOptions = RunnerOptions & {
  on?: Store
  node?: string
  keyring?: { state: SealState }
  log?: Log
  metrics?: Metrics
  monotonic?: () => number
}

const open: { state: SealState } = { state: 'unsealed' }

/** A job that reports when it has begun and then waits to be released. */
export function heldUp(name = 'slow') {
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

/** Rejects with the reason of the signal once it aborts. */
export const aborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
