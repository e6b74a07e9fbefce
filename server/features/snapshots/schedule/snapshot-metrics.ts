import type { Deps } from '../../../kit/deps.ts'
import { loadJobTimes } from '../../../kit/job-store.ts'
import type { SnapshotAttemptRow as Attempt } from '../../../storage/tables/snapshots.ts'
import { loadFacts } from '../configurations/configuration-store.ts'
import type { Configuration } from '../configurations/configuration-types.ts'
import { takeJobKind } from './schedule-rules.ts'
import { loadStatuses } from './status-store.ts'

type MetricDeps = Pick<Deps, 'metrics'>

const labels = ['config'] as const
const name = (suffix: string): string => `holdfast_autosnapshots_${suffix}`

const gauge = ({ metrics }: MetricDeps, suffix: string, help: string) => metrics.gauge(name(suffix), help, labels)
const counter = ({ metrics }: MetricDeps, suffix: string, help: string) => metrics.counter(name(suffix), help, labels)

/** Figures after an attempt, whatever its end. */
export function observeAttempt(
  deps: MetricDeps,
  { name: config }: Configuration,
  attempt: Attempt,
  error: string,
): void {
  counter(deps, 'save_errors_total', 'Snapshots that failed, at whatever stage.').inc({ config }, error === '' ? 0 : 1)
  if (error !== '' || attempt.started_at === null || attempt.ended_at === null) return
  const took = attempt.ended_at - attempt.started_at
  gauge(deps, 'save_duration_ms', 'Milliseconds the last good snapshot took.').set({ config }, took)
  gauge(deps, 'snapshot_size_bytes', 'Size of the last good snapshot.').set({ config }, attempt.size ?? 0)
  const end = Math.floor(attempt.ended_at / 1_000)
  gauge(deps, 'last_success_time', 'When the last good snapshot was stored, in seconds since 1970.').set(
    { config },
    end,
  )
}

/** Figures after retention. */
export function observePruning(
  deps: MetricDeps,
  { name: config, type, settings }: Configuration,
  pruned: { readonly error: string; readonly stored: number; readonly bytes: number },
  took: number,
): void {
  gauge(deps, 'rotate_duration_ms', 'Milliseconds retention took.').set({ config }, took)
  counter(deps, 'rotate_errors_total', 'Runs of retention with an error.').inc({ config }, pruned.error === '' ? 0 : 1)
  if (pruned.stored < 0) return
  gauge(deps, 'stored_snapshots', 'Snapshots in the destination.').set({ config }, pruned.stored)
  if (type !== 'local') return
  const share = (100 * pruned.bytes) / Number(settings.local_max_space)
  gauge(deps, 'total_snapshot_size_bytes', 'Bytes of all snapshots on the disk.').set({ config }, pruned.bytes)
  gauge(deps, 'percent_maxspace_used', 'Part of the allowance that is used.').set({ config }, share)
}

/** Figures that every look at the schedule renews; configurations that are gone lose theirs. */
export async function observeSchedule(deps: Pick<Deps, 'db' | 'metrics'>): Promise<void> {
  const known = new Set((await loadFacts(deps.db)).map((each) => each.name))
  const next = gauge(deps, 'next_start_time', 'When the next snapshot is due, in seconds since 1970.')
  const errors = gauge(deps, 'consecutive_errors', 'Attempts that failed in a row.')
  next.reset()
  errors.reset()
  for (const [key, at] of await loadJobTimes(deps.db, takeJobKind)) {
    if (known.has(key)) next.set({ config: key }, Math.floor(at / 1_000))
  }
  for (const { name: config, consecutive_errors: count } of await loadStatuses(deps.db)) {
    if (known.has(config)) errors.set({ config }, count)
  }
}
