/** Runs at most `limit` pieces of work at once; the others wait, first come first served. */
export function limitConcurrency(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The place passes straight to the next in line, so that a newcomer cannot slip in between.
      if (next) next()
      else running -= 1
    }
  }
}
