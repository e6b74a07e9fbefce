import { defineJob, type Job } from '../../../../kit/job.ts'
import { deleteExpiredLinks } from '../links/link-store.ts'
import { deleteExpiredSessions } from './session-store.ts'

/** Removes sessions that have ended, the notes about their forms, and links that no longer work. */
export const sessionSweep: Job = defineJob({
  name: 'sessions.sweep',
  every: '1h',
  jitter: '10m',
  run: async (deps) => {
    const now = deps.clock.now()
    await deleteExpiredSessions(deps.db, now)
    await deleteExpiredLinks(deps.db, now)
  },
})
