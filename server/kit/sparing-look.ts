import { textOf } from '../kernel/failure.ts'
import type { Deps } from './deps.ts'

const longestWait = 250

/**
 * Repeats a look at the store for callers who must not wait for one that does not answer: it is begun when the last one is
 * `goodFor` milliseconds old, and waited for only so long. What was known before counts until it has ended.
 */
export function sparingLook(
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
