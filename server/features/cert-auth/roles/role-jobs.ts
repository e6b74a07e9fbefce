import type { Deps } from '../../../kit/deps.ts'
import { defineJob, type Job } from '../../../kit/job.ts'
import { daysLeft, warningDays } from './ca-info.ts'
import { firstExpiries } from './role-store.ts'

/** Tells when the first certificate that a role of each mount trusts comes to its end. */
export async function watchExpiries(deps: Deps): Promise<void> {
  const gauge = deps.metrics.gauge(
    'holdfast_cert_trust_days_left',
    'Days until the first certificate that roles of a mount trust expires; negative once it has.',
    ['mount'],
  )
  gauge.reset()
  for (const { mountPath, name, notAfter } of await firstExpiries(deps.db)) {
    const days = daysLeft(notAfter, deps.clock.now())
    gauge.set({ mount: mountPath }, days)
    if (days < warningDays)
      deps.log.warn({ mount: mountPath, role: name, days }, 'a certificate that a role trusts expires')
  }
}

/** Background work on roles. */
export const roleJobs: readonly Job[] = [
  defineJob({ name: 'cert-auth.watch-expiries', every: '6h', jitter: '10m', run: watchExpiries }),
]
