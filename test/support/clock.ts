import { type Clock, type Instant, instant } from '../../server/kernel/clock.ts'
import { parseDuration } from '../../server/kernel/duration.ts'

/** A clock that stands still until a test moves it. */
export type TestClock = Clock & {
  /** Moves forward: `clock.advance('31m')`. */
  advance(duration: string): void
  set(at: Instant): void
}

/** Starts at a fixed moment unless told otherwise. */
export function testClock(start: string | Instant = '2026-11-15T12:00:00Z'): TestClock {
  let now = typeof start === 'string' ? Date.parse(start) : start
  return {
    now: () => instant(now),
    monotonic: () => performance.now(),
    advance: (duration) => {
      const milliseconds = parseDuration(duration)
      if (milliseconds === undefined) throw new Error(`'${duration}' is not a duration`)
      now += milliseconds
    },
    set: (at) => {
      now = at
    },
  }
}
