import type { Deps } from '../../../../kit/deps.ts'
import { defineJob, type Job } from '../../../../kit/job.ts'
import { activeTokens, countExpired } from '../token-metrics.ts'
import {
  continueRevoking,
  finishRevokingLogins,
  loginsJobName,
  pathJobName,
  removeExpired,
  removeParentless,
  requestJob,
  sweep,
  sweepJobName,
} from './revocation-actions.ts'
import { countLiving } from './revocation-store.ts'

const tidyJobName = 'tokens.tidy'

/** Requests a clean-up run as soon as possible. */
export const requestTidy = (deps: Pick<Deps, 'db' | 'store'>): Promise<void> => requestJob(deps, tidyJobName, '')

async function expire(deps: Deps): Promise<void> {
  if (deps.seal.status() !== 'unsealed') return
  const expired = await removeExpired(deps)
  countExpired(deps, expired)
  activeTokens(deps).set(await countLiving(deps.db, deps.clock.now()))
  if (expired > 0) deps.log.debug({ expired }, 'expired tokens removed')
}

/** Clean-up after dead tokens. Whether a token works does not depend on it: that is checked on every use. */
export const revocationJobs: readonly Job[] = [
  defineJob({ name: 'tokens.expire', every: '30s', jitter: '5s', run: expire }),
  defineJob({
    name: sweepJobName,
    run: async (deps) => {
      await sweep(deps)
    },
  }),
  defineJob({ name: pathJobName, run: continueRevoking }),
  defineJob({ name: loginsJobName, run: finishRevokingLogins }),
  defineJob({
    name: tidyJobName,
    run: async (deps) => {
      await expire(deps)
      await removeParentless(deps)
      deps.log.info({}, 'token cleanup finished')
    },
  }),
]
