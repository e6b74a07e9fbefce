import type { Concern } from '../../../access/concern.ts'
import { type Instant, instant } from '../../../kernel/clock.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { isOverdue, nextRegularRun, nextRunAfter } from '../schedule/schedule.ts'
import type { SnapshotAttemptRow as Attempt, SnapshotStatusRow } from '../snapshot.ts'

/** What is known about a configuration's runs. */
export type StatusFacts = {
  readonly configuration: Configuration
  readonly status: SnapshotStatusRow
  readonly begun?: Attempt
  readonly ended?: Attempt
  readonly good?: Attempt
  /** When a snapshot, the newest or an older one, was last proved to be restorable. */
  readonly verifiedAt: number | undefined
  /** The work that takes the snapshots of its schedule. */
  readonly job: { readonly nextRunAt: Instant; readonly isRunning: boolean } | undefined
  readonly now: Instant
}

/** The state of a configuration's schedule. */
type ScheduleState = 'scheduled' | 'running' | 'backoff' | 'paused'

/** Determines that state. */
export function scheduleStateOf({ configuration, status, begun }: StatusFacts): ScheduleState {
  if (configuration.paused) return 'paused'
  if (begun && begun.ended_at === null) return 'running'
  return status.consecutive_errors > 0 ? 'backoff' : 'scheduled'
}

/**
 * When the next snapshot is taken; undefined while paused. While one runs, this is the time after it. The job has the
 * next time only when the run is over, including retention, so until then it is computed here.
 */
export function nextStartOf({ configuration, status, begun, job, now }: StatusFacts): Instant | undefined {
  if (configuration.paused || !job) return undefined
  if (begun?.ended_at === null) return nextRegularRun(configuration.interval, status.anchor, now)
  if (begun && job.isRunning) return instant(Math.max(nextRunAfter(configuration, status, begun, now), now))
  return instant(Math.max(job.nextRunAt, now))
}

/** True when snapshots should have been taken and were not. */
export function isOverdueNow({ configuration, good, now }: StatusFacts): boolean {
  if (configuration.paused) return false
  return isOverdue(configuration.interval, good?.ended_at ?? configuration.createdAt, now)
}

/** A snapshot is proved soon after it is stored; one that waits for so long is not. */
const proofMs = 6 * 3_600_000

/** What is the matter with the snapshots of a configuration: the worst of it. */
export function concernsOf(facts: StatusFacts): readonly Concern[] {
  const { configuration, good, ended, verifiedAt, now } = facts
  const { name, paused, verify } = configuration
  const concern = (kind: string, failed: boolean, text: string, at: number | null | undefined): readonly Concern[] => [
    { kind: `snapshot-${kind}`, failed, name, text, at: at ? instant(at) : null },
  ]
  if (paused === 'restored')
    return concern('paused', false, 'It was restored from another installation and waits to be resumed.', null)
  if (paused) return []
  if (good?.verify_failed === 1) return concern('not-restorable', true, good.verify_error, good.ended_at)
  if (ended && ended.error !== '') return concern('failed', true, ended.error, ended.ended_at)
  if (isOverdueNow(facts))
    return concern('overdue', true, 'The last good snapshot is older than it should be.', good?.ended_at)
  if (!good || verify === 'none') return []
  if (good.verify_error !== '') return concern('unproved', false, good.verify_error, good.ended_at)
  const isProved = verifiedAt !== undefined && verifiedAt >= (good.ended_at ?? 0)
  if (isProved || now - (good.ended_at ?? now) < proofMs) return []
  return concern('unproved', false, 'The last snapshot was not proved yet.', good.ended_at)
}
