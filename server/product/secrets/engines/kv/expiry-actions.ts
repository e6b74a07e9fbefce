import type { ServerWatch } from '../../../../access/attention.ts'
import { type Instant, later } from '../../../../kernel/clock.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { defineJob, type Job } from '../../../../kit/job.ts'
import { throttledRefresh } from '../../../../kit/throttled-refresh.ts'
import { findEndingSecrets, firstEnds } from './kv-list-store.ts'

const dayMs = 86_400_000

/** A secret is told of so long before it ends, and after it. */
const warningMs = 30 * dayMs

/** Thousands of secrets may end together; this many warnings are enough. */
const mostWarnings = 100

const daysLeft = (endsAt: Instant, now: Instant): number => Math.floor((endsAt - now) / dayMs)

const spanAround = (now: Instant) => ({ from: later(now, -warningMs), until: later(now, warningMs) })

/** Secrets that end soon or have ended, for those who look after the server. */
export const watchEnds: ServerWatch = async ({ reads, clock }, { limit }) => {
  const now = clock.now()
  const ending = await findEndingSecrets(reads, spanAround(now), limit)
  return ending.map(({ mountPath, path, endsAt }) => ({
    kind: 'secret-ends',
    failed: endsAt <= now,
    name: `${mountPath}${path}`,
    text: `The 'expires_at' of this secret ${endsAt <= now ? 'has passed' : 'comes closer'}: write a new version, and a new time.`,
    at: endsAt,
  }))
}

/** Logs how many secrets of each mount end soon or have ended. Their paths are no matter for logs. */
export async function warnOfEnds(deps: Pick<Deps, 'reads' | 'clock' | 'log'>): Promise<void> {
  const now = deps.clock.now()
  const ending = await findEndingSecrets(deps.reads, spanAround(now), mostWarnings)
  for (const [mount, secrets] of Map.groupBy(ending, ({ mountPath }) => mountPath)) {
    const first = secrets[0]?.endsAt ?? now
    deps.log.warn(
      { mount, secrets: secrets.length, days: daysLeft(first, now) },
      "secrets end soon or have ended, as their 'expires_at' says",
    )
  }
}

/** Measures, whenever metrics are collected, when the first secret of each mount ends. */
export function measureEnds(deps: Deps): void {
  const gauge = deps.metrics.gauge(
    'holdfast_kv_days_left',
    "Days until the first 'expires_at' of the secrets of a mount; negative once it has passed.",
    ['mount'],
    { stored: true },
  )
  const refresh = async (): Promise<void> => {
    const ends = await firstEnds(deps.reads)
    gauge.reset()
    for (const { mountPath, endsAt } of ends) gauge.set({ mount: mountPath }, daysLeft(endsAt, deps.clock.now()))
  }
  deps.metrics.onRender(throttledRefresh(deps, { refresh, goodFor: 60_000, failed: 'ends of secrets not read' }))
}

/** Background work on secrets. */
export const expiryJobs: readonly Job[] = [
  defineJob({ name: 'kv.watch-ends', every: '24h', jitter: '10m', run: warnOfEnds }),
]
