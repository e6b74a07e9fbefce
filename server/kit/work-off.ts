import type { Deps } from './deps.ts'

/** Items of which a job handles one after another, and how it does that. */
type WorkOff = {
  /** Finds items that are due, up to so many; one that was handled is not found again. */
  find(limit: number): Promise<readonly string[]>
  /** Handles one; false if there was nothing to do for it, because somebody else was faster. */
  handle(id: string): Promise<boolean>
  /** What the log says about an item that cannot be handled. */
  readonly problem: string
  readonly signal?: AbortSignal | undefined
}

const batchSize = 200

/** Items that could not be handled, at which a run ends: something is wrong with more than a few of them. */
const maxLeft = 1_000

/**
 * Handles all items that are due, a batch at a time, until the signal stops it; returns how many were handled. An item
 * that cannot be handled is logged and prevents neither the others nor what follows. The next run tries it again.
 */
export async function workOff({ log }: Pick<Deps, 'log'>, work: WorkOff): Promise<number> {
  let handled = 0
  const left = new Set<string>()
  for (;;) {
    const found = await work.find(batchSize + left.size)
    const due = found.filter((id) => !left.has(id))
    for (const id of due) {
      if (work.signal?.aborted) return handled
      if (await handleOrLog(log, work, id)) handled++
      else left.add(id)
    }
    if (due.length < batchSize || left.size > maxLeft) return handled
  }
}

async function handleOrLog(log: Deps['log'], { handle, problem }: WorkOff, id: string): Promise<boolean> {
  try {
    return await handle(id)
  } catch (error) {
    log.error({ id, error }, problem)
    return false
  }
}
