import { defineJob, type Job } from '../../../kit/job.ts'
import { settleDue } from './destruction-actions.ts'

/** Settles workspaces whose time to be destroyed has come. */
export const autoDestroyJob: Job = defineJob({
  name: 'workspaces.auto-destroy',
  every: '1m',
  run: async (deps, { signal }) => {
    const skipped = await settleDue(deps, signal)
    if (skipped > 0) deps.log.info({ skipped }, 'scheduled destructions skipped')
  },
})
