import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createZstdDecompress, zstdDecompress, zstdDecompressSync } from 'node:zlib'
import type { Place } from '../../../crypto/keyring.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import { type BlobName, type FoundBlob, findBlob, loadChunks, streamChunks } from '../../../storage/blob-store.ts'

/** Chunks are sealed for the upload they belong to. */
export const placeOfContent = (upload: string): Place => ({ table: 'blob_chunks', column: 'bytes', row: upload })

type OpenDeps = Pick<Deps, 'db' | 'keyring'>

/** A file up to this size is read whole. */
const wholeBytes = 2 * 1024 * 1024

/** Larger ones are decompressed beside the main thread. */
const decompressedAtOnce = 64 * 1024

const decompress = promisify(zstdDecompress)

/** A stored file of this many bytes, as they were sent. */
export async function openContent(deps: OpenDeps, name: BlobName, size: number): Promise<Buffer | Readable> {
  const blob = await findBlob(deps.db, name)
  if (!blob) throw failure('missing', 'state-content.missing', 'The content of this state version is gone.')
  return size <= wholeBytes ? await openWhole(deps, blob, size) : openStream(deps, blob)
}

async function openWhole({ db, keyring }: OpenDeps, blob: FoundBlob, size: number): Promise<Buffer> {
  const opened = keyring.openStream(await loadChunks(db, blob), placeOfContent(blob.upload))
  const packed = Buffer.concat(await Array.fromAsync(opened))
  // An empty file has no bytes, but a limit of none is refused.
  const limit = { maxOutputLength: Math.max(size, 1) }
  return size <= decompressedAtOnce ? zstdDecompressSync(packed, limit) : await decompress(packed, limit)
}

/** Each piece costs a way to another thread and back, so they are large. */
const flow = { chunkSize: 512 * 1024, readableHighWaterMark: 1024 * 1024 }

function openStream({ db, keyring }: OpenDeps, blob: FoundBlob): Readable {
  const plain = createZstdDecompress(flow)
  const opened = keyring.openStream(streamChunks(db, blob), placeOfContent(blob.upload))
  pipeline(Readable.from(opened, { objectMode: true, highWaterMark: 2 }), plain, () => undefined)
  return plain
}
