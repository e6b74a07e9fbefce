import type { Log } from '../kernel/log.ts'
import type { Deps } from '../kit/deps.ts'

/** Milliseconds. A difference around the limit must not be told again and again, so it ends a little below. */
const worthTelling = 5_000
const settled = 4_000

/** True if the clocks differ by so much that operators should know. */
export const isSkewed = (skew: number): boolean => Math.abs(skew) >= worthTelling

/**
 * Each node decides by its own clock what has expired: one that is behind lets tokens live longer, and nobody would
 * notice.
 */
export const warnOfSkew = (log: Log, skew: number): void =>
  log.warn({ seconds: Math.round(skew / 1_000) }, 'the clock of this node differs from that of the database')

/** Shows how far the clocks are apart, and returns a function that tells changes; to be called now and then. */
export function createClockWatch({ store, metrics, log }: Pick<Deps, 'store' | 'metrics' | 'log'>): () => void {
  const help = 'Seconds by which the clock of this node is ahead of that of the database; negative if it is behind.'
  const gauge = metrics.gauge('holdfast_clock_skew_seconds', help)
  metrics.onRender(async () => gauge.set(store.clockSkew() / 1_000))
  // What it is at the start was told then.
  let isTold = isSkewed(store.clockSkew())
  return () => {
    const skew = store.clockSkew()
    if (isTold && Math.abs(skew) < settled) {
      isTold = false
      log.info({}, 'the clock of this node agrees with that of the database again')
    } else if (!isTold && isSkewed(skew)) {
      isTold = true
      warnOfSkew(log, skew)
    }
  }
}
