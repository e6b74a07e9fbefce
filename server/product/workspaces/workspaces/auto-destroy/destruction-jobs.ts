import { defineJob, type Job } from '../../../../kit/job.ts'
import { skipOverdueDestructions } from './destruction-actions.ts'

/** Skips the destruction of workspaces whose time to be destroyed has come. */
export const autoDestroyJob: Job = defineJob({
  name: 'workspaces.auto-destroy',
  every: '1m',
  run: async (deps, { signal }) => {
    const skipped = await skipOverdueDestructions(deps, signal)
    if (skipped > 0) deps.log.info({ skipped }, 'scheduled destructions skipped')
  },
})
