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
