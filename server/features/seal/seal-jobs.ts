import { defineJob, type Job } from '../../kit/job.ts'
import { askForUsage } from './seal-store.ts'

/** How often the keys were used, each process knows for itself alone. */
export const keyUsageJob: Job = defineJob({
  name: 'seal.key-usage',
  every: '1h',
  jitter: '10m',
  run: (deps) => askForUsage(deps.db),
})
