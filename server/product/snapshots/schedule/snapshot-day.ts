import type { SnapshotAttemptRow as Attempt, SnapshotDayRow } from '../snapshot.ts'

/** The attempts of one day, taken together. */
export type SnapshotDay = Omit<SnapshotDayRow, 'name'>

const dayMs = 86_400_000

/** How many days are kept: a year, and the days before it with which it is compared. */
export const keptDays = 400

/** The beginning of the day in UTC. */
export const dayOf = (at: number): number => at - (at % dayMs)

/** The first day that is shown when so many are wanted, today among them. */
export const firstDay = (days: number, now: number): number => dayOf(now) - (days - 1) * dayMs

/** Puts the attempts that have ended, and what is kept of older ones, together by day: oldest first. */
export function byDay(attempts: readonly Attempt[], kept: readonly SnapshotDay[] = []): SnapshotDay[] {
  const days = new Map(kept.map((day) => [day.day, day]))
  for (const attempt of attempts) {
    if (attempt.started_at === null || attempt.ended_at === null) continue
    const one = ofAttempt(attempt, dayOf(attempt.started_at))
    const before = days.get(one.day)
    days.set(one.day, before ? merged(before, one) : one)
  }
  return [...days.values()].sort((a, b) => a.day - b.day)
}

function ofAttempt(attempt: Attempt, day: number): SnapshotDay {
  const { started_at: start, ended_at: end, verified_at: proved, error } = attempt
  const isStored = error === ''
  return {
    day,
    attempts: 1,
    failed: isStored ? 0 : 1,
    proved: proved === null ? 0 : 1,
    disproved: attempt.verify_failed,
    size: isStored ? (attempt.size ?? 0) : 0,
    duration_ms: isStored ? Math.max(0, (end ?? 0) - (start ?? 0)) : 0,
    proof_ms: proved === null ? 0 : Math.max(0, proved - (end ?? 0)),
    error: error || attempt.verify_error,
  }
}

/** In whatever order attempts are added, the day is the same but for which of several errors is told. */
const merged = (a: SnapshotDay, b: SnapshotDay): SnapshotDay => ({
  day: a.day,
  attempts: a.attempts + b.attempts,
  failed: a.failed + b.failed,
  proved: a.proved + b.proved,
  disproved: a.disproved + b.disproved,
  size: Math.max(a.size, b.size),
  duration_ms: Math.max(a.duration_ms, b.duration_ms),
  proof_ms: Math.max(a.proof_ms, b.proof_ms),
  error: a.error || b.error,
})
