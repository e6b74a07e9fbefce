import { textOf } from '../kernel/failure.ts'
import type { Deps } from './deps.ts'

const longestWait = 250

/**
 * Repeats a read of the store for callers that must not hang with it: one begins when the last one is `goodFor`
 * milliseconds old, and is waited for a moment only. Until it has ended, callers go by what the last one found.
 */
export function throttledRefresh(
  deps: Pick<Deps, 'clock' | 'log'>,
  { refresh, goodFor, failed }: { refresh: () => Promise<void>; goodFor: number; failed: string },
): () => Promise<void> {
  let refreshedAt = Number.NEGATIVE_INFINITY
  let refreshing: Promise<void> | undefined
  const begin = async (): Promise<void> => {
    try {
      await refresh()
    } catch (thrown) {
      deps.log.warn({ error: textOf(thrown) }, failed)
    }
    refreshedAt = deps.clock.monotonic()
    refreshing = undefined
  }
  return async () => {
    if (deps.clock.monotonic() - refreshedAt >= goodFor) refreshing ??= begin()
    if (!refreshing) return
    const enough = Promise.withResolvers<void>()
    const timer = setTimeout(enough.resolve, longestWait)
    await Promise.race([refreshing, enough.promise])
    clearTimeout(timer)
  }
}
