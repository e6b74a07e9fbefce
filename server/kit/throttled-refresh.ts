import { textOf } from '../kernel/failure.ts'
import type { Deps } from './deps.ts'

const longestWait = 250

/**
 * Repeats a look at the store for callers that must not hang with it: a look begins when the last one is `goodFor`
 * milliseconds old, and is waited for a moment only. Until it has ended, callers go by what the last one found.
 */
export function throttledRefresh(
  deps: Pick<Deps, 'clock' | 'log'>,
  { look, goodFor, failed }: { look: () => Promise<void>; goodFor: number; failed: string },
): () => Promise<void> {
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined
  const begin = async (): Promise<void> => {
    try {
      await look()
    } catch (thrown) {
      deps.log.warn({ error: textOf(thrown) }, failed)
    }
    lookedAt = deps.clock.monotonic()
    looking = undefined
  }
  return async () => {
    if (deps.clock.monotonic() - lookedAt >= goodFor) looking ??= begin()
    if (!looking) return
    const enough = Promise.withResolvers<void>()
    const timer = setTimeout(enough.resolve, longestWait)
    await Promise.race([looking, enough.promise])
    clearTimeout(timer)
  }
}
