import type { Deps } from '../../../kit/deps.ts'
import { loadJobTimes } from '../../../kit/job-store.ts'
import { type ConfigurationFacts, loadConfigurationFacts } from '../configurations/configuration-store.ts'
import type { SnapshotStatusRow } from '../snapshot.ts'
import { type Attempt, loadNewestGoodAttempts, loadVerifiedTimes } from './attempt-store.ts'
import { takeJobKind } from './schedule.ts'
import { loadStatuses } from './status-store.ts'

type MetricDeps = Pick<Deps, 'metrics'>

/** Figures from the store: every node reports the same ones, even right after a start. */
const storedGauges = {
  save_duration_ms: 'Duration of the last successful snapshot, in milliseconds.',
  snapshot_size_bytes: 'Size of the last successful snapshot, in bytes.',
  last_success_time: 'Unix time when the last successful snapshot was stored.',
  last_verified_time: 'Unix time when a snapshot was last verified.',
  stored_snapshots: 'Number of snapshots in the destination.',
  total_snapshot_size_bytes: 'Total size of all snapshots on disk, in bytes.',
  percent_maxspace_used: 'Percentage of the allowed space in use.',
  next_start_time: 'Unix time when the next snapshot is due.',
  consecutive_errors: 'Number of consecutive failed attempts.',
  paused: 'Whether it is paused: 1 or 0.',
} as const

/** Figures that only the process has that did the work. */
const ownGauges = { rotate_duration_ms: 'Duration of the last retention run, in milliseconds.' } as const
const ownCounters = {
  save_errors_total: 'Snapshots that failed, at any stage.',
  rotate_errors_total: 'Retention runs that failed.',
  verify_errors_total: 'Snapshots that failed verification.',
} as const

type StoredGauge = keyof typeof storedGauges

const labels = ['config'] as const
const nameOf = (suffix: string): string => `holdfast_autosnapshots_${suffix}`
const storedGauge = ({ metrics }: MetricDeps, suffix: StoredGauge) =>
  metrics.gauge(nameOf(suffix), storedGauges[suffix], labels, { stored: true })
const ownGauge = ({ metrics }: MetricDeps, suffix: keyof typeof ownGauges) =>
  metrics.gauge(nameOf(suffix), ownGauges[suffix], labels)
const ownCounter = ({ metrics }: MetricDeps, suffix: keyof typeof ownCounters) =>
  metrics.counter(nameOf(suffix), ownCounters[suffix], labels)
const seconds = (at: number): number => Math.floor(at / 1_000)

/** Counts how an attempt ended. */
export function countAttempt(deps: MetricDeps, config: string, error: string): void {
  ownCounter(deps, 'save_errors_total').inc({ config }, error === '' ? 0 : 1)
}

/** Notes how retention went. */
export function countPruning(deps: MetricDeps, config: string, error: string, took: number): void {
  ownGauge(deps, 'rotate_duration_ms').set({ config }, took)
  ownCounter(deps, 'rotate_errors_total').inc({ config }, error === '' ? 0 : 1)
}

/** Counts how the verification of a snapshot ended. */
export function countVerification(deps: MetricDeps, config: string, isBad: boolean): void {
  ownCounter(deps, 'verify_errors_total').inc({ config }, isBad ? 1 : 0)
}

/**
 * Reads the figures from the store; those of configurations that are gone are removed. Counters start at 0 and not with
 * the first error: an alert on an increase would miss that one.
 */
export async function readFigures(deps: Pick<Deps, 'db' | 'store' | 'metrics'>): Promise<void> {
  const { db } = deps
  const now = await deps.store.databaseNow()
  const [configurations, jobs] = [await loadConfigurationFacts(db), await loadJobTimes(db, takeJobKind)]
  const statuses = new Map((await loadStatuses(db)).map((status) => [status.name, status]))
  const goods = new Map((await loadNewestGoodAttempts(db)).map((good) => [good.name, good]))
  const verifiedAt = await loadVerifiedTimes(db)
  for (const suffix of Object.keys(storedGauges)) storedGauge(deps, suffix as StoredGauge).reset()
  await forgetOthers(deps, new Set(configurations.map(({ name }) => name)))
  for (const configuration of configurations) {
    const { name: config } = configuration
    for (const counter of countersOf(deps)) counter.inc({ config }, 0)
    const nextRunAt = jobs.get(config)?.nextRunAt
    const figures = {
      paused: configuration.paused === 0 ? 0 : 1,
      ...(nextRunAt === undefined ? {} : { next_start_time: seconds(Math.max(now, nextRunAt)) }),
      ...goodFigures(goods.get(config)),
      ...verifiedFigures(verifiedAt.get(config)),
      ...storedFigures(configuration, statuses.get(config)),
    }
    for (const [suffix, value] of Object.entries(figures)) {
      storedGauge(deps, suffix as StoredGauge).set({ config }, value)
    }
  }
}

type Figures = Partial<Record<StoredGauge, number>>

function goodFigures(good: Attempt | undefined): Figures {
  if (!good || good.started_at === null || good.ended_at === null) return {}
  return {
    save_duration_ms: good.ended_at - good.started_at,
    snapshot_size_bytes: good.size ?? 0,
    last_success_time: seconds(good.ended_at),
  }
}

const verifiedFigures = (at: number | undefined): Figures =>
  at === undefined ? {} : { last_verified_time: seconds(at) }

function storedFigures({ type, settings }: ConfigurationFacts, status: SnapshotStatusRow | undefined): Figures {
  if (!status) return {}
  const { consecutive_errors, stored, used_bytes: used } = status
  if (stored < 0) return { consecutive_errors }
  if (type !== 'local') return { consecutive_errors, stored_snapshots: stored }
  const { local_max_space: space } = JSON.parse(settings) as { local_max_space: number }
  return {
    consecutive_errors,
    stored_snapshots: stored,
    total_snapshot_size_bytes: used,
    percent_maxspace_used: (100 * used) / space,
  }
}

const countersOf = (deps: MetricDeps) =>
  Object.keys(ownCounters).map((suffix) => ownCounter(deps, suffix as keyof typeof ownCounters))

/** Removes the figures of configurations that are gone: any node may have deleted one that this process worked for. */
async function forgetOthers(deps: MetricDeps, known: ReadonlySet<string>): Promise<void> {
  for (const metric of [ownGauge(deps, 'rotate_duration_ms'), ...countersOf(deps)]) {
    const { values } = await metric.get()
    for (const { labels } of values) if (!known.has(String(labels.config))) metric.remove(labels)
  }
}
