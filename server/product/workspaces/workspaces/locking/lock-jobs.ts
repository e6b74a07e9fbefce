import { defineJob, type Job } from '../../../../kit/job.ts'
import { releaseExpiredLocks } from './lock-actions.ts'

/** Releases expired locks. They keep nobody out anyway; this makes the change log and events show it. */
export const expiredLocksJob: Job = defineJob({
  name: 'workspaces.release-expired-locks',
  every: '5s',
  run: async (deps, { signal }) => {
    const released = await releaseExpiredLocks(deps, signal)
    if (released > 0) deps.log.info({ released }, 'expired locks released')
  },
})
