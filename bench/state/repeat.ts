/** Repeats the work for this many milliseconds; returns how often. */
export async function repeat(ms: number, work: () => Promise<void>): Promise<number> {
  const end = performance.now() + ms
  let count = 0
  do {
    await work()
    count += 1
    if (count % 16 === 0) await new Promise(setImmediate)
  } while (performance.now() < end)
  return count
}

/** Processor time of this process, in microseconds. */
export async function ownCpu(): Promise<number> {
  const { user, system } = process.cpuUsage()
  return user + system
}
