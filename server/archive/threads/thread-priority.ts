import { existsSync, readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'

/** Where Linux tells a thread its own number. */
const threadSelf = '/proc/thread-self'

/**
 * Lets this thread give way to the others of the process, which have a request to answer and are done in a moment. Low, not
 * lowest: where processors are never free it still gets a tenth of one. Only Linux knows priorities of single threads.
 */
export function lowerThreadPriority(): void {
  if (!existsSync(threadSelf)) return
  const thread = Number(basename(readlinkSync(threadSelf)))
  const lowered = getPriority(thread) + constants.priority.PRIORITY_BELOW_NORMAL
  setPriority(thread, Math.min(lowered, constants.priority.PRIORITY_LOW))
}
