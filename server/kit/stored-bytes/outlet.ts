import { pipeline, Readable } from 'node:stream'
import { createZstdDecompress, zstdDecompressSync } from 'node:zlib'
import type { Place } from '../../crypto/keyring.ts'
import { loadChunks, streamChunks } from '../../storage/blob-store.ts'
import type { Deps } from '../deps.ts'

/** Chunks are encrypted for the upload they belong to. */
export const placeOfContent = (upload: string): Place => ({ table: 'blob_chunks', column: 'bytes', row: upload })

/**
 * A file as it is stored: its size before it was compressed, the upload of its chunks, and the first chunk if it was
 * read already.
 */
export type StoredContent = {
  readonly size: number
  readonly upload: string
  readonly chunks: number
  readonly first?: Uint8Array
}

type OpenDeps = Pick<Deps, 'db' | 'keyring'>

/** A file up to this size is read as a whole: decompressing it here is faster than in another thread. */
const wholeBytes = 2 * 1024 * 1024

/** A file as it was sent: whole if it is small, else a stream of which a few pieces are in memory. */
export const openContent = async (deps: OpenDeps, content: StoredContent): Promise<Buffer | Readable> =>
  content.size <= wholeBytes ? await openWhole(deps, content) : openStream(deps, content)

async function openWhole({ db, keyring }: OpenDeps, content: StoredContent): Promise<Buffer> {
  const { size, upload, chunks, first } = content
  const sealed = chunks === 1 && first ? [first] : await loadChunks(db, content)
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
