import { defineJob, type Job } from '../../kit/job.ts'
import { deleteExpiredSessions } from './session-store.ts'

/** Removes sessions that have ended. */
export const sessionSweep: Job = defineJob({
  name: 'sessions.sweep',
  every: '1h',
  jitter: '10m',
  run: async (deps) => {
    await deleteExpiredSessions(deps.db, deps.clock.now())
  },
})
