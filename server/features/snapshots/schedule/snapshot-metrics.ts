import type { Instant } from '../../../kernel/clock.ts'
import type { Deps } from '../../../kit/deps.ts'
import { loadJobTimes } from '../../../kit/job-store.ts'
import type { SnapshotAttemptRow as Attempt } from '../../../storage/tables/snapshots.ts'
import { loadFacts } from '../configurations/configuration-store.ts'
import type { Configuration } from '../configurations/configuration-types.ts'
import { takeJobKind } from './schedule-rules.ts'
import { loadStatuses } from './status-store.ts'

type MetricDeps = Pick<Deps, 'metrics'>

const gauges = {
  save_duration_ms: 'Milliseconds the last good snapshot took.',
  snapshot_size_bytes: 'Size of the last good snapshot.',
  last_success_time: 'When the last good snapshot was stored, in seconds since 1970.',
  rotate_duration_ms: 'Milliseconds retention took.',
  stored_snapshots: 'Snapshots in the destination.',
  total_snapshot_size_bytes: 'Bytes of all snapshots on the disk.',
  percent_maxspace_used: 'Part of the allowance that is used.',
  next_start_time: 'When the next snapshot is due, in seconds since 1970.',
  consecutive_errors: 'Attempts that failed in a row.',
} as const

const counters = {
  save_errors_total: 'Snapshots that failed, at whatever stage.',
  rotate_errors_total: 'Runs of retention with an error.',
} as const

const labels = ['config'] as const
const nameOf = (suffix: string): string => `holdfast_autosnapshots_${suffix}`
const gauge = ({ metrics }: MetricDeps, suffix: keyof typeof gauges) =>
  metrics.gauge(nameOf(suffix), gauges[suffix], labels)
const counter = ({ metrics }: MetricDeps, suffix: keyof typeof counters) =>
  metrics.counter(nameOf(suffix), counters[suffix], labels)
const seconds = (at: number): number => Math.floor(at / 1_000)

/** Figures after an attempt, whatever its end. */
export function observeAttempt(
  deps: MetricDeps,
  { name: config }: Configuration,
  attempt: Attempt,
  error: string,
): void {
  counter(deps, 'save_errors_total').inc({ config }, error === '' ? 0 : 1)
  if (error !== '' || attempt.started_at === null || attempt.ended_at === null) return
  gauge(deps, 'save_duration_ms').set({ config }, attempt.ended_at - attempt.started_at)
  gauge(deps, 'snapshot_size_bytes').set({ config }, attempt.size ?? 0)
  gauge(deps, 'last_success_time').set({ config }, seconds(attempt.ended_at))
}

/** Figures after retention. */
export function observePruning(
  deps: MetricDeps,
  { name: config, type, settings }: Configuration,
  pruned: { readonly error: string; readonly stored: number; readonly bytes: number },
  took: number,
): void {
  gauge(deps, 'rotate_duration_ms').set({ config }, took)
  counter(deps, 'rotate_errors_total').inc({ config }, pruned.error === '' ? 0 : 1)
  if (pruned.stored < 0) return
  gauge(deps, 'stored_snapshots').set({ config }, pruned.stored)
  if (type !== 'local') return
  gauge(deps, 'total_snapshot_size_bytes').set({ config }, pruned.bytes)
  gauge(deps, 'percent_maxspace_used').set({ config }, (100 * pruned.bytes) / Number(settings.local_max_space))
}

/** Figures about the attempt that comes next. */
export function observePlan(deps: MetricDeps, config: string, nextRunAt: Instant, failures: number): void {
  gauge(deps, 'next_start_time').set({ config }, seconds(nextRunAt))
  gauge(deps, 'consecutive_errors').set({ config }, failures)
}

/** Figures that every look at the schedule renews; configurations that are gone lose theirs. */
export async function observeSchedule(deps: Pick<Deps, 'db' | 'metrics'>): Promise<void> {
  const known = new Set((await loadFacts(deps.db)).map((each) => each.name))
  const next = gauge(deps, 'next_start_time')
  const errors = gauge(deps, 'consecutive_errors')
  next.reset()
  errors.reset()
  for (const [key, at] of await loadJobTimes(deps.db, takeJobKind)) {
    if (known.has(key)) next.set({ config: key }, seconds(at))
  }
  for (const { name: config, consecutive_errors: count } of await loadStatuses(deps.db)) {
    if (known.has(config)) errors.set({ config }, count)
  }
}

/** A configuration that is gone has no figures. */
export function forgetConfiguration({ metrics }: MetricDeps, config: string): void {
  for (const [suffix, help] of Object.entries(gauges)) metrics.gauge(nameOf(suffix), help, labels).remove({ config })
  for (const [suffix, help] of Object.entries(counters))
    metrics.counter(nameOf(suffix), help, labels).remove({ config })
}
