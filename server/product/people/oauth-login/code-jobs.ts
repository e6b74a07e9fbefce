import { defineJob, type Job } from '../../../kit/job.ts'
import { deleteExpiredCodes } from './code-store.ts'

/** Removes codes that nobody redeemed. */
export const codeSweep: Job = defineJob({
  name: 'oauth-codes.sweep',
  every: '1h',
  jitter: '10m',
  run: async (deps) => {
    await deleteExpiredCodes(deps.db, deps.clock.now())
  },
})
