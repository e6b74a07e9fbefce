import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Instant } from '../../../../kernel/clock.ts'
import { failure } from '../../../../kernel/failure.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { openContent } from '../../../../kit/stored-bytes/index.ts'
import { deleteUnclaimed } from '../../../../storage/blob-store.ts'
import { beforeAllContent, findContent, listContent } from './content-store.ts'
import type { ContentFile } from './content-url.ts'

/** A file of a version as it was sent, and its length. */
export async function loadContent(
  deps: Pick<Deps, 'db' | 'keyring'>,
  { kind, id }: ContentFile,
): Promise<{ readonly bytes: Buffer | Readable; readonly size: number }> {
  const content = await findContent(deps.db, kind, id)
  if (!content) throw failure('missing', 'state-content.missing', 'This content does not exist, or was deleted.')
  return { bytes: await openContent(deps, content), size: content.size }
}

/** Files examined by one query: few enough that requests do not wait for it. */
const pageSize = 500

/**
 * Deletes the files of workspaces that were stored before this time and that no version refers to, until the signal
 * stops it: refused uploads, and what deleted organizations left. Returns how many there were.
 */
export async function sweepContent(
  { db, reads }: Pick<Deps, 'db' | 'reads'>,
  before: Instant,
  signal: AbortSignal,
): Promise<number> {
  let swept = 0
  for (let after = beforeAllContent; ; ) {
    signal.throwIfAborted()
    const page = await listContent(reads, after, pageSize)
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
