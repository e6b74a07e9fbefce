import type { Failure } from '../kernel/failure.ts'

/** Each round lets at least one of the competing writers through, so a crowd of this size gets through as a whole. */
const mostTries = 100

/**
 * Repeats a compare-and-swap (docs/decisions/0004) until it succeeds. `attempt` reads, decides and writes; it returns
 * undefined or false if somebody else wrote in between. A writer that keeps losing is refused with `contended`.
 */
export async function untilWritten<T>(
  attempt: () => Promise<T | false | undefined>,
  contended: () => Failure,
): Promise<T> {
  for (let tries = 1; tries <= mostTries; tries++) {
    const written = await attempt()
    if (written !== undefined && written !== false) return written
  }
  throw contended()
}
