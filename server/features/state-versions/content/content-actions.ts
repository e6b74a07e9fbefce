import { pipeline, Readable } from 'node:stream'
import { createZstdDecompress, zstdDecompressSync } from 'node:zlib'
import type { Place } from '../../../crypto/keyring.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import { type BlobName, type FoundBlob, findBlob, loadChunks, streamChunks } from '../../../storage/blob-store.ts'

/** Chunks are sealed for the upload they belong to. */
export const placeOfContent = (upload: string): Place => ({ table: 'blob_chunks', column: 'bytes', row: upload })

type OpenDeps = Pick<Deps, 'db' | 'keyring'>

/** A file up to this size is read whole, and decompressed faster than another thread could be asked to. */
const wholeBytes = 2 * 1024 * 1024

/** A stored file of this many bytes, as they were sent. */
export async function openContent(deps: OpenDeps, name: BlobName, size: number): Promise<Buffer | Readable> {
  const blob = await findBlob(deps.db, name)
  if (!blob) throw failure('missing', 'state-content.missing', 'The content of this state version is gone.')
  return size <= wholeBytes ? await openWhole(deps, blob, size) : openStream(deps, blob)
}

async function openWhole({ db, keyring }: OpenDeps, blob: FoundBlob, size: number): Promise<Buffer> {
  const opened = keyring.openStream(await loadChunks(db, blob), placeOfContent(blob.upload))
  const packed = Buffer.concat(await Array.fromAsync(opened))
  // Where it was never more, one buffer is enough for all of it.
  return zstdDecompressSync(packed, { chunkSize: Math.max(size, 64), maxOutputLength: Math.max(size, 1) })
}

/** Each piece costs a way to another thread and back, so they are large. */
const flow = { chunkSize: 512 * 1024, readableHighWaterMark: 1024 * 1024 }

function openStream({ db, keyring }: OpenDeps, blob: FoundBlob): Readable {
  const plain = createZstdDecompress(flow)
  const opened = keyring.openStream(streamChunks(db, blob), placeOfContent(blob.upload))
  pipeline(Readable.from(opened, { objectMode: true, highWaterMark: 2 }), plain, () => undefined)
  return plain
}
