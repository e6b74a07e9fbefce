import { parseDuration } from '../kernel/duration.ts'
import { problem } from './problems.ts'

/** Time a call may take, as milliseconds or as text: `10s`. */
export type Deadline = number | string

/** One span of time for everything a call does: waiting, names, connections, redirects, body. */
export type Budget = {
  signal: AbortSignal
  /** Waits for the promise, but no longer than the budget lasts. */
  within<T>(promise: Promise<T>): Promise<T>
  end(): void
}

/** Starts the time of a call to `where`; an outer signal ends it early. */
export function startBudget(deadline: Deadline, where: string, outer?: AbortSignal): Budget {
  const milliseconds = toMilliseconds(deadline)
  const controller = new AbortController()
  const { signal } = controller
  const timer = setTimeout(() => {
    controller.abort(problem('deadline', `The call to ${where} took longer than ${milliseconds} ms.`))
  }, milliseconds)
  const cancel = () => controller.abort(problem('cancelled', `The call to ${where} was cancelled.`))
  if (outer?.aborted) cancel()
  outer?.addEventListener('abort', cancel, { once: true })
  const { promise: ended, reject } = Promise.withResolvers<never>()
  // If nobody waits any more, its rejection must not end the process.
  ended.catch(() => undefined)
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  if (signal.aborted) reject(signal.reason)
  return {
    signal,
    within: (promise) => Promise.race([promise, ended]),
    end: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', cancel)
    },
  }
}

function toMilliseconds(deadline: Deadline): number {
  const milliseconds = typeof deadline === 'number' ? deadline : parseDuration(deadline)
  if (milliseconds === undefined || !(milliseconds >= 0)) throw new TypeError(`'${deadline}' is not a deadline`)
  return Math.min(milliseconds, 2 ** 31 - 1)
}
