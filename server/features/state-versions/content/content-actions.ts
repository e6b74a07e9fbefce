import { pipeline, Readable } from 'node:stream'
import { createZstdDecompress, zstdDecompressSync } from 'node:zlib'
import type { Place } from '../../../crypto/keyring.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import { loadChunks, streamChunks } from '../../../storage/blob-store.ts'
import { findContent, type StoredContent } from './content-store.ts'
import type { ContentFile } from './content-urls.ts'

/** Chunks are sealed for the upload they belong to. */
export const placeOfContent = (upload: string): Place => ({ table: 'blob_chunks', column: 'bytes', row: upload })

type OpenDeps = Pick<Deps, 'db' | 'keyring'>

/** A file up to this size is read whole, and decompressed faster than another thread could be asked to. */
const wholeBytes = 2 * 1024 * 1024

/** A file of a version as it was sent, and its length. */
export async function loadContent(
  deps: OpenDeps,
  { kind, id }: ContentFile,
): Promise<{ readonly bytes: Buffer | Readable; readonly size: number }> {
  const content = await findContent(deps.db, kind, id)
  if (!content) throw failure('missing', 'state-content.missing', 'There is no such content, or no longer.')
  const { size } = content
  return { bytes: size <= wholeBytes ? await openWhole(deps, content) : openStream(deps, content), size }
}

async function openWhole({ db, keyring }: OpenDeps, content: StoredContent): Promise<Buffer> {
  const { size, upload, chunks, first } = content
  const sealed = chunks === 1 ? [first] : await loadChunks(db, content)
  const packed = keyring.openWhole(sealed, placeOfContent(upload))
  // Where it was never more, one buffer is enough for all of it.
  return zstdDecompressSync(packed, { chunkSize: Math.max(size, 64), maxOutputLength: Math.max(size, 1) })
}

/** Each piece costs a way to another thread and back, so they are large. */
const flow = { chunkSize: 512 * 1024, readableHighWaterMark: 1024 * 1024 }

function openStream({ db, keyring }: OpenDeps, content: StoredContent): Readable {
  const plain = createZstdDecompress(flow)
  const opened = keyring.openStream(streamChunks(db, content), placeOfContent(content.upload))
  pipeline(Readable.from(opened, { objectMode: true, highWaterMark: 2 }), plain, () => undefined)
  return plain
}
