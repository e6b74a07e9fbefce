import { type Instant, instant, later } from '../../../kernel/clock.ts'
import { backOff } from '../../../kernel/pause.ts'
import type { Configuration } from '../configurations/configuration.ts'
import type { ScheduleEffect } from '../configurations/configuration-change.ts'
import type { SnapshotAttemptRow, SnapshotStatusRow } from '../snapshot.ts'

/** The job that takes the snapshots of a configuration; its key is the configuration's name. */
export const takeJobKind = 'snapshots.take'

/** The job that proves that a stored snapshot can be restored; its key is the configuration's name. */
export const verifyJobKind = 'snapshots.verify'

const firstWait = 30_000
const longestWait = 3_600_000
const shortestDeadline = 600_000

/** When to run after a write; undefined when the schedule stays as it is. A new interval never delays a retry. */
export function runAfterWrite(
  effect: ScheduleEffect,
  { interval, anchor, now, retryAt }: { interval: number; anchor: number; now: Instant; retryAt?: Instant | undefined },
): Instant | undefined {
  if (effect === 'none') return undefined
  if (effect !== 'new-interval') return now
  const regular = nextRegularRun(interval, anchor, now)
  return retryAt === undefined ? regular : instant(Math.min(regular, retryAt))
}

/**
 * The next run of the schedule: an interval after the last one began. Any number of missed runs are made up for by a
 * single run at once. A last run in the future means that the clock was set back, and counts as one that began now.
 */
export function nextRegularRun(interval: number, anchor: number, now: Instant): Instant {
  if (anchor > now) return later(now, interval * 1_000)
  return instant(Math.max(now, anchor + interval * 1_000))
}

/**
 * Milliseconds to wait after a failure: from 30 s, doubling, up to an hour or the interval; `dice` varies it by 10 %.
 */
function retryWait(interval: number, failures: number, dice: number): number {
  const base = backOff({ first: firstWait, longest: Math.min(longestWait, interval * 1_000) }, failures)
  return Math.max(1_000, Math.round(base * (0.9 + 0.2 * dice)))
}

/**
 * When the next run follows one that has ended. The random part of a retry's delay is derived from the attempt, so that
 * the time is the same before and after it is stored.
 */
export function nextRunAfter(
  { interval }: Pick<Configuration, 'interval'>,
  { anchor, consecutive_errors: failures }: Pick<SnapshotStatusRow, 'anchor' | 'consecutive_errors'>,
  ended: Pick<SnapshotAttemptRow, 'id' | 'ended_at' | 'error'>,
  now: Instant,
): Instant {
  if (ended.error === '') return nextRegularRun(interval, anchor, now)
  return later(instant(Math.min(ended.ended_at ?? now, now)), retryWait(interval, failures, diceOf(ended)))
}

const diceOf = ({ id }: Pick<SnapshotAttemptRow, 'id'>): number => Number.parseInt(id.slice(0, 8), 16) / 2 ** 32

/**
 * When the next run follows a snapshot that does not restore: as after a failure, but no later than planned. `bad` is
 * the number of such snapshots in a row.
 */
export function nextRunAfterBad(
  { interval }: Pick<Configuration, 'interval'>,
  { anchor }: Pick<SnapshotStatusRow, 'anchor'>,
  { bad, attempt }: { readonly bad: number; readonly attempt: Pick<SnapshotAttemptRow, 'id'> },
  now: Instant,
): Instant {
  const retry = now + retryWait(interval, bad, diceOf(attempt))
  return instant(Math.min(retry, nextRegularRun(interval, anchor, now)))
}

/** Milliseconds an attempt may take: as configured, else the interval, but at least ten minutes. */
export const attemptDeadline = ({ interval, timeout }: Pick<Configuration, 'interval' | 'timeout'>): number =>
  timeout > 0 ? timeout * 1_000 : Math.max(shortestDeadline, interval * 1_000)

/** True when the last success is so old that two runs must have failed or been missed. */
export const isOverdue = (interval: number, lastGood: number, now: Instant): boolean =>
  now - lastGood > 2 * interval * 1_000 + firstWait
