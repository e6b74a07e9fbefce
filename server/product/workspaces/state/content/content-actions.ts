import { pipeline, Readable } from 'node:stream'
import { createZstdDecompress, zstdDecompressSync } from 'node:zlib'
import type { Place } from '../../../../crypto/keyring.ts'
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
