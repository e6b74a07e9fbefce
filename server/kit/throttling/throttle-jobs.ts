import { later } from '../../kernel/clock.ts'
import { defineJob, type Job } from '../job.ts'
import { failureLifetime } from './throttle-rules.ts'
import { forgetOldFailures } from './throttle-store.ts'

/** Forgets failed attempts that no longer count. */
export const attemptSweep: Job = defineJob({
  name: 'sign-in.sweep',
  every: '1h',
  jitter: '10m',
  run: async (deps) => {
    await forgetOldFailures(deps.db, later(deps.clock.now(), -failureLifetime))
  },
})
