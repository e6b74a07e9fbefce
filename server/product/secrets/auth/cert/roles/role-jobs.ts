import type { Deps } from '../../../../../kit/deps.ts'
import { defineJob, type Job } from '../../../../../kit/job.ts'
import { throttledRefresh } from '../../../../../kit/throttled-refresh.ts'
import { dayMs, daysLeft, warningDays } from './ca-info.ts'
import { expiringCas, firstExpiries } from './role-store.ts'

/** Logs which CAs will soon expire or expired recently. One that expired long ago is not reported any more. */
export async function warnOfExpiries(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const span = warningDays * dayMs
  for (const { mountPath, name, notAfter } of await expiringCas(deps.db, { from: now - span, until: now + span }))
    deps.log.warn(
      { mount: mountPath, role: name, days: daysLeft(notAfter, now) },
      'a CA certificate that a role trusts expires soon or has expired',
    )
}

/** Measures, whenever metrics are collected, when the first certificate that roles of each mount trust expires. */
export function measureExpiries(deps: Deps): void {
  const gauge = deps.metrics.gauge(
    'holdfast_cert_trust_days_left',
    'Days until the first of the certificates trusted by roles of a mount expires; negative once it has.',
    ['mount'],
    { stored: true },
  )
  const look = async (): Promise<void> => {
    const first = await firstExpiries(deps.db)
    gauge.reset()
    for (const { mountPath, notAfter } of first) gauge.set({ mount: mountPath }, daysLeft(notAfter, deps.clock.now()))
  }
  deps.metrics.onRender(
    throttledRefresh(deps, { look, goodFor: 60_000, failed: 'ends of trusted certificates not read' }),
  )
}

/** Background work on roles. */
export const roleJobs: readonly Job[] = [
  defineJob({ name: 'cert-auth.watch-expiries', every: '6h', jitter: '10m', run: warnOfExpiries }),
]
