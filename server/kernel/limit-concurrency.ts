/** Runs work when there is a place for it. The signal ends the wait, not the work. */
export type Limiter = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** Runs at most `limit` pieces of work at once; the others wait, first come first served. */
export function limitConcurrency(limit: number): Limiter {
  const waiting = new Set<() => void>()
  let running = 0
  return async (work, signal) => {
    if (running >= limit) await turnIn(waiting, signal)
    else running += 1
    try {
      return await work()
    } finally {
      const [next] = waiting
      // The place passes straight to the next in line, so that a newcomer cannot slip in between.
      if (next) next()
      else running -= 1
    }
  }
}

/** Waits in line; whoever gives up leaves it. */
async function turnIn(line: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  const turn = Promise.withResolvers<void>()
  const begin = (): void => {
    line.delete(begin)
    turn.resolve()
  }
  const giveUp = (): void => {
    if (line.delete(begin)) turn.reject(signal?.reason)
  }
  line.add(begin)
  signal?.addEventListener('abort', giveUp, { once: true })
  try {
    await turn.promise
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
}
