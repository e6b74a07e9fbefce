import { defineJob, type Job } from '../../kit/job.ts'
import { finishRemovals } from './mount-actions.ts'

/** Mounts that were being taken down when a process died. */
export const finishRemovalsJob: Job = defineJob({
  name: 'mounts.finish-removals',
  every: '1m',
  jitter: '10s',
  run: (deps) => finishRemovals(deps),
})
