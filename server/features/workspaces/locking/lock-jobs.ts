import { defineJob, type Job } from '../../../kit/job.ts'
import { releaseExpiredLocks } from './lock-actions.ts'

/** Releases locks whose time is over. They hold nobody out meanwhile; this is so that the change log and events tell. */
export const expiredLocksJob: Job = defineJob({
  name: 'workspaces.release-expired-locks',
  every: '5s',
  run: async (deps, { signal }) => {
    const released = await releaseExpiredLocks(deps, signal)
    if (released > 0) deps.log.info({ released }, 'locks ended by themselves')
  },
})
