import { enableCompileCache } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { COMPILED } from '../../scripts/setup/root.mjs'

/** Sets Node up for this program. Called before the rest of it is loaded. */
export function prepareRuntime(): void {
  enableCompileCache(COMPILED)
  // What a request allocates is gone with its answer. V8 guesses from what it saw survive while the program warmed up
  // which objects live long, and puts their like into the old generation at once: a wrong guess makes every request dearer
  // until the next start (docs/decisions/0011).
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/** How long a server that has just started is watched at a time, and how often: until it is idle, or has its own work. */
const watchMs = 2_000
const watches = 10

/** The share of that time in which a server may be at work and count as idle. */
const idleShare = 0.2

/**
 * Gives back the memory that only the start needed, a quarter of all. V8 looks for it only when more is asked for, so a
 * server that waits for its first request would hold it. Looking takes a tenth of a second: a server at work is left alone.
 */
export async function returnStartMemory(watched: number = watchMs): Promise<void> {
  const { eventLoopUtilization } = performance
  for (let watch = 0; watch < watches; watch++) {
    const before = eventLoopUtilization()
    await wait(watched, undefined, { ref: false })
    if (eventLoopUtilization(before).utilization < idleShare) return collectAll()
  }
}

/** The flavour matters: only the last resort makes the space for new objects small again. */
function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NonNullable<typeof gc>
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
