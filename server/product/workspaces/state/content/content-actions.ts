import { pipeline, Readable } from 'node:stream'
import { createZstdDecompress, zstdDecompressSync } from 'node:zlib'
import type { Place } from '../../../../crypto/keyring.ts'
import { type Awaitable, andThen } from '../../../../kernel/awaitable.ts'
import { failure } from '../../../../kernel/failure.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { loadChunks, streamChunks } from '../../../../storage/blob-store.ts'
import { findContent, type StoredContent } from './content-store.ts'
import type { ContentFile } from './content-urls.ts'

/** Chunks are encrypted for the upload they belong to. */
export const placeOfContent = (upload: string): Place => ({ table: 'blob_chunks', column: 'bytes', row: upload })

type OpenDeps = Pick<Deps, 'db' | 'keyring'>

/** A file up to this size is read as a whole: decompressing it here is faster than in another thread. */
const wholeBytes = 2 * 1024 * 1024

/** A file of a version as it was sent, and its length. */
export const loadContent = (
  deps: OpenDeps,
  { kind, id }: ContentFile,
): Awaitable<{ readonly bytes: Buffer | Readable; readonly size: number }> =>
  andThen(findContent(deps.db, kind, id), (content) => {
    if (!content) throw failure('missing', 'state-content.missing', 'This content does not exist, or was deleted.')
    const { size } = content
    const opened = size <= wholeBytes ? openWhole(deps, content) : openStream(deps, content)
    return andThen(opened, (bytes) => ({ bytes, size }))
  })

function openWhole({ db, keyring }: OpenDeps, content: StoredContent): Awaitable<Buffer> {
  const { size, upload, chunks, first } = content
  return andThen(chunks === 1 ? [first] : loadChunks(db, content), (sealed) => {
    const packed = keyring.openWhole(sealed, placeOfContent(upload))
    // The output buffer has exactly the size of the file, so there is only one.
    return zstdDecompressSync(packed, { chunkSize: Math.max(size, 64), maxOutputLength: Math.max(size, 1) })
  })
}

/** Each piece costs a round trip to another thread, so they are large. */
const streamOptions = { chunkSize: 512 * 1024, readableHighWaterMark: 1024 * 1024 }

function openStream({ db, keyring }: OpenDeps, content: StoredContent): Readable {
  const plain = createZstdDecompress(streamOptions)
  const opened = keyring.openStream(streamChunks(db, content), placeOfContent(content.upload))
  pipeline(Readable.from(opened, { objectMode: true, highWaterMark: 2 }), plain, () => undefined)
  return plain
}
