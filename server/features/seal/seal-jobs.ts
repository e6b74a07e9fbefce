import { defineJob, type Job } from '../../kit/job.ts'
import { requestKeyUsage } from './seal-store.ts'

/** Only each process itself knows how often it has used the keys. */
export const keyUsageJob: Job = defineJob({
  name: 'seal.key-usage',
  every: '1h',
  jitter: '10m',
  run: (deps) => requestKeyUsage(deps.db),
})
