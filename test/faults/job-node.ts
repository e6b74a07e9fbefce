import { writeSync } from 'node:fs'
import { startJobs } from '../../server/jobs/runner.ts'
import { systemClock } from '../../server/kernel/clock.ts'
import { randomIds } from '../../server/kernel/ids.ts'
import { silentLog } from '../../server/kernel/log.ts'
import type { Deps } from '../../server/kit/deps.ts'
import { defineJob } from '../../server/kit/job.ts'
import { isFenceCurrent } from '../../server/kit/job-store.ts'
import { createMetrics } from '../../server/kit/metrics.ts'
import { openStore } from '../../server/storage/open.ts'
import { inTransaction } from '../../server/storage/transaction.ts'

/**
 * A node that runs one job repeatedly until it is killed. Some runs freeze the whole process for longer than the lease,
 * as a paused machine would, and then still try to write their result.
 */
const [url = '', node = ''] = process.argv.slice(2)
const store = await openStore({ url, log: silentLog, clock: systemClock })
const about = { nodeAddress: '', version: '0', compatVersion: '0' }
const settings = { nodeName: node, baseUrl: '', ...about }
const keyring = { state: 'unsealed' }
const parts = { db: store.db, store, clock: systemClock, ids: randomIds, log: silentLog, metrics: createMetrics() }
const deps = { ...parts, settings, keyring } as unknown as Deps
const say = (text: string) => writeSync(1, `${text}\n`)
const freeze = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
let runs = 0

const job = defineJob({
  name: 'effect',
  every: '50ms',
  lease: '600ms',
  run: async ({ db }, run) => {
    say(`run ${run.fence}`)
    runs += 1
    if (runs % 5 === 0) freeze(900)
    const hasEffect = await inTransaction(db, async (tx) => {
      if (!(await isFenceCurrent(tx, run))) return false
      await tx
        .insertInto('operations')
        .values({ id: `effect-${run.fence}`, created_at: run.fence })
        .execute()
      return true
    })
    say(`${hasEffect ? 'effect' : 'stale'} ${run.fence}`)
  },
})

await startJobs(deps, [job], { pollEvery: 50, leadLease: 600 })
say('ready')
// Timers of the runner do not keep a process alive.
setTimeout(() => undefined, 600_000)
