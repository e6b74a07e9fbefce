import { pipeline, Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createZstdDecompress, zstdDecompressSync } from 'node:zlib'
import type { Place } from '../../../../crypto/keyring.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import { failure } from '../../../../kernel/failure.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { deleteUnclaimed, loadChunks, streamChunks } from '../../../../storage/blob-store.ts'
import { beforeAllContent, findContent, listContent, type StoredContent } from './content-store.ts'
import type { ContentFile } from './content-url.ts'

/** Chunks are encrypted for the upload they belong to. */
export const placeOfContent = (upload: string): Place => ({ table: 'blob_chunks', column: 'bytes', row: upload })

type OpenDeps = Pick<Deps, 'db' | 'keyring'>

/** A file up to this size is read as a whole: decompressing it here is faster than in another thread. */
const wholeBytes = 2 * 1024 * 1024

/** A file of a version as it was sent, and its length. */
export async function loadContent(
  deps: OpenDeps,
  { kind, id }: ContentFile,
): Promise<{ readonly bytes: Buffer | Readable; readonly size: number }> {
  const content = await findContent(deps.db, kind, id)
  if (!content) throw failure('missing', 'state-content.missing', 'This content does not exist, or was deleted.')
  const { size } = content
  return { bytes: size <= wholeBytes ? await openWhole(deps, content) : openStream(deps, content), size }
}

async function openWhole({ db, keyring }: OpenDeps, content: StoredContent): Promise<Buffer> {
  const { size, upload, chunks, first } = content
  const sealed = chunks === 1 ? [first] : await loadChunks(db, content)
  const packed = keyring.openWhole(sealed, placeOfContent(upload))
  // The output buffer has exactly the size of the file, so there is only one.
  return zstdDecompressSync(packed, { chunkSize: Math.max(size, 64), maxOutputLength: Math.max(size, 1) })
}

/** Each piece costs a round trip to another thread, so they are large. */
const streamOptions = { chunkSize: 512 * 1024, readableHighWaterMark: 1024 * 1024 }

function openStream({ db, keyring }: OpenDeps, content: StoredContent): Readable {
  const plain = createZstdDecompress(streamOptions)
  const opened = keyring.openStream(streamChunks(db, content), placeOfContent(content.upload))
  pipeline(Readable.from(opened, { objectMode: true, highWaterMark: 2 }), plain, () => undefined)
  return plain
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
