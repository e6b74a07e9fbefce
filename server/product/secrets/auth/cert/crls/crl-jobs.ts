import { later } from '../../../../../kernel/clock.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import { defineJob, type Job } from '../../../../../kit/job.ts'
import { throttledRefresh } from '../../../../../kit/throttled-refresh.ts'
import { refreshDueCrls } from './crl-actions.ts'
import { countStaleCrls, sweepCrlBytes } from './crl-store.ts'

/** An upload takes minutes at most, so bytes without a list that are older than this are left over. */
const abandonedAfter = 3_600_000

/** Counts, whenever metrics are collected, the lists of each mount whose successor should be there by now. */
export function measureStaleLists(deps: Deps): void {
  const gauge = deps.metrics.gauge(
    'holdfast_cert_crls_stale',
    'Revocation lists of a mount that are past their next update; they keep revoking.',
    ['mount'],
    { stored: true },
  )
  const look = async (): Promise<void> => {
    const counts = await countStaleCrls(deps.db, deps.clock.now())
    gauge.reset()
    for (const { mountPath, stale } of counts) gauge.set({ mount: mountPath }, stale)
  }
  deps.metrics.onRender(throttledRefresh(deps, { look, goodFor: 60_000, failed: 'stale revocation lists not counted' }))
}

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
