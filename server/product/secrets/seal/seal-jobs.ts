import { later } from '../../../kernel/clock.ts'
import { defineJob, type Job } from '../../../kit/job.ts'
import { longestRekeyMs } from './rekey/rekey-rules.ts'
import { dropRekey } from './rekey/rekey-store.ts'
import { dropHandover, requestKeyUsage } from './seal-store.ts'

/** Only each process itself knows how often it has used the keys. */
export const keyUsageJob: Job = defineJob({
  name: 'seal.key-usage',
  every: '1h',
  jitter: '10m',
  run: (deps) => requestKeyUsage(deps.db),
})

/** How long a new root key waits for processes that were cut off from the database. */
const handoverMs = 60 * 60_000

/** Removes root keys that were handed over, and shares given for new ones that never came about. */
export const rekeyRestsJob: Job = defineJob({
  name: 'seal.rekey-rests',
  every: '10m',
  jitter: '1m',
  run: async ({ db, clock }) => {
    await dropHandover(db, later(clock.now(), -handoverMs))
    await dropRekey(db, later(clock.now(), -longestRekeyMs))
  },
})
