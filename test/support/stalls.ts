import { setImmediate as nextTurn } from 'node:timers/promises'

/** The longest time the process was busy with one thing while the work went on. */
export async function longestStall(work: Promise<unknown>): Promise<number> {
  let longest = 0
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  for (let last = performance.now(); !isDone; ) {
    await nextTurn()
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  await done
  return longest
}

/** How many turns of the event loop passed while the work was done. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isOver = true
  return turns
}
