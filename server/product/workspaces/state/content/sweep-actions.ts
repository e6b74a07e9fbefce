import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Instant } from '../../../../kernel/clock.ts'
import { deleteUnclaimed } from '../../../../storage/blob-store.ts'
import type { Db } from '../../../../storage/open.ts'
import { beforeAllContent, listContent } from './content-store.ts'

/** Files examined by one query: few enough that requests do not wait for it. */
const pageSize = 500

/**
 * Deletes the files of workspaces that were stored before this time and that no version refers to, until the signal
 * stops it: refused uploads, and what deleted organizations left. Returns how many there were.
 */
export async function sweepContent(db: Db, before: Instant, signal: AbortSignal): Promise<number> {
  let swept = 0
  for (let after = beforeAllContent; ; ) {
    signal.throwIfAborted()
    const page = await listContent(db, after, pageSize)
    for (const content of page) {
      if (content.isReferenced || content.createdAt >= before) continue
      signal.throwIfAborted()
      await deleteUnclaimed(db, content)
      swept++
    }
    const last = page.at(-1)
    if (!last || page.length < pageSize) return swept
    after = last
    await nextTurn()
  }
}
