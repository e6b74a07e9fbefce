import { later } from '../../../kernel/clock.ts'
import { defineJob, type Job } from '../../../kit/job.ts'
import { refreshDueCrls } from './crl-actions.ts'
import { sweepCrlBytes } from './crl-store.ts'

/** An upload takes minutes at most, so bytes without a list that are older than this are left over. */
const abandonedAfter = 3_600_000

/** Background work on revocation lists. */
export const crlJobs: readonly Job[] = [
  defineJob({
    name: 'cert-auth.refresh-crls',
    every: '1m',
    jitter: '5s',
    run: (deps, { signal }) => refreshDueCrls(deps, signal),
  }),
  defineJob({
    name: 'cert-auth.sweep-crls',
    every: '6h',
    jitter: '1h',
    run: (deps) => sweepCrlBytes(deps.db, later(deps.clock.now(), -abandonedAfter)),
  }),
]
