import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'

/** How often the log mentions them at most. */
const logEveryMs = 60_000

/**
 * Connections above the limit are closed without a word, so the log is the only place that tells why clients fail: of the
 * first at once, then of those since, once a minute.
 */
export function createRefusalReporter(
  { log, clock }: { readonly log: Log; readonly clock: Pick<Clock, 'monotonic'> },
  place: { readonly listener: string; readonly limit: number },
): () => void {
  let refused = 0
  let toldAt: number | undefined
  return () => {
    refused += 1
    const now = clock.monotonic()
    if (toldAt !== undefined && now - toldAt < logEveryMs) return
    log.warn({ ...place, refused }, 'too many connections, further ones are closed')
    refused = 0
    toldAt = now
  }
}
