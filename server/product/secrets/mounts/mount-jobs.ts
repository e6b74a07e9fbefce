import { defineJob, type Job } from '../../../kit/job.ts'
import { finishRemovals } from './mount-actions.ts'

/** Removes mounts whose removal was interrupted when a process died. */
export const finishRemovalsJob: Job = defineJob({
  name: 'mounts.finish-removals',
  every: '1m',
  jitter: '10s',
  run: (deps) => finishRemovals(deps),
})
