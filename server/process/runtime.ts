import { enableCompileCache } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { COMPILE_CACHE } from '../../scripts/setup/root.mjs'

/** How V8 collects garbage in a server. */
export const v8Flags: readonly string[] = [
  // What a request allocates is garbage once it is answered. V8 guesses, from what survived while the program warmed
  // up, which objects live long, and allocates similar ones in the old generation at once: a wrong guess makes every
  // request more expensive until the next start (docs/decisions/0011).
  '--no-allocation-site-pretenuring',
  // V8 starts a full collection when the room left in the heap is smaller than the space for new objects. Servers have
  // small heaps, where this is the case right after the previous collection, so that they would never stop collecting.
  // This way one starts when half of the room is used (docs/decisions/0019).
  '--incremental-marking-soft-trigger=50',
]

/** Sets Node up for this program. Called before the rest of it is loaded. */
export function prepareRuntime(): void {
  enableCompileCache(COMPILE_CACHE)
  for (const flag of v8Flags) setFlagsFromString(flag)
}

/** For how long a server that has just started is observed at a time, and how often at most, until it is idle. */
const watchMs = 2_000
const watchRounds = 10

/** A server that works for less than this share of the time counts as idle. */
const idleShare = 0.2

/**
 * Gives back the memory that only the start needed, a quarter of all. V8 collects only when more memory is asked for,
 * so a server that waits for its first request would keep it. Collecting takes a tenth of a second, so busy servers are
 * left alone.
 */
export async function releaseStartMemory(watched: number = watchMs): Promise<void> {
  const { eventLoopUtilization } = performance
  for (let watch = 0; watch < watchRounds; watch++) {
    const before = eventLoopUtilization()
    await wait(watched, undefined, { ref: false })
    if (eventLoopUtilization(before).utilization < idleShare) return collectAll()
  }
}

/** The flavour matters: only `last-resort` shrinks the space for new objects again. */
function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NonNullable<typeof gc>
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
