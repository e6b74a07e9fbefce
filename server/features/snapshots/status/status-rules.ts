import { type Instant, instant } from '../../../kernel/clock.ts'
import type { JobState } from '../../../kit/job-store.ts'
import type { SnapshotAttemptRow as Attempt, SnapshotStatusRow } from '../../../storage/tables/snapshots.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { isOverdue, nextRegularRun, nextRunAfter } from '../schedule/schedule-rules.ts'

/** What is known about a configuration's runs. */
export type StatusFacts = {
  readonly configuration: Configuration
  readonly status: SnapshotStatusRow
  readonly begun?: Attempt
  readonly ended?: Attempt
  readonly good?: Attempt
  /** When a snapshot was last proved to restore, be it the newest or one before it. */
  readonly verifiedAt: number | undefined
  readonly job: JobState | undefined
  readonly now: Instant
}

/** Where a configuration stands in its rhythm. */
export type ScheduleState = 'scheduled' | 'running' | 'backoff' | 'paused'

/** Tells the state from what is known. */
export function scheduleStateOf({ configuration, status, begun }: StatusFacts): ScheduleState {
  if (configuration.paused) return 'paused'
  if (begun && begun.ended_at === null) return 'running'
  return status.consecutive_errors > 0 ? 'backoff' : 'scheduled'
}

/**
 * When the next snapshot is taken; undefined while paused. While one runs, this is the next after it; and what follows one
 * that has ended stands in the job only when its run is over, retention and all.
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
