import { createHash } from 'node:crypto'
import { failure } from '../kernel/failure.ts'
import type { Ids } from '../kernel/ids.ts'
import type { Db, Queryable } from './database.ts'
import { isUniqueViolation } from './errors.ts'

/** Rows hold at most this many bytes; a caller that seals its chunks leaves room for what sealing adds. */
export const maxChunkBytes = 256 * 1024

/** A stored stream: its content's hash is its name within the scope, for instance one workspace. */
export type BlobName = { scope: string; id: string }

/** What is stored: chunks in order, and the name of their content. */
export type BlobUpload = {
  scope: string
  /** A fresh name for this upload; callers that seal bind each chunk to it and to its number. */
  upload: string
  /** Chunks as they are stored, none larger than `maxChunkBytes`. */
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  createdAt: number
  /** The name of the content, asked for after the last chunk; the SHA-256 of the stored chunks unless given. */
  contentId?: () => string
}

/** Draws the name of a new upload. */
export const newUpload = (ids: Ids): string => ids.text(24)

/**
 * Stores a stream chunk by chunk and names it by its content. The same content stored again in its scope is kept once.
 * An upload that breaks off is swept later. Nothing counts references: who deletes a blob knows that nobody in its scope
 * needs it.
 */
export async function putBlob(db: Queryable, blob: BlobUpload): Promise<{ id: string; size: number }> {
  const { scope, upload } = blob
  await db
    .insertInto('blobs')
    .values({ upload, scope, id: null, size: 0, chunks: 0, created_at: blob.createdAt })
    .execute()
  const hash = createHash('sha256')
  let [size, chunks] = [0, 0]
  for await (const bytes of blob.chunks) {
    refuseOversized(bytes)
    await db.insertInto('blob_chunks').values({ upload, seq: chunks, bytes }).execute()
    hash.update(bytes)
    size += bytes.length
    chunks += 1
  }
  const id = blob.contentId?.() ?? hash.digest('hex')
  if (!(await complete(db, { scope, id }, { upload, size, chunks }))) await deleteUpload(db, upload)
  return { id, size }
}

function refuseOversized(bytes: Uint8Array): void {
  if (bytes.length <= maxChunkBytes) return
  throw failure('internal', 'blob.chunk-too-large', `A chunk of ${bytes.length} bytes exceeds ${maxChunkBytes}.`)
}

/** Names the upload; false when the scope has this content already. */
async function complete(
  db: Queryable,
  { scope, id }: BlobName,
  { upload, size, chunks }: { upload: string; size: number; chunks: number },
): Promise<boolean> {
  const naming = db
    .updateTable('blobs')
    .set({ id, size, chunks })
    .where('upload', '=', upload)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('blobs as other')
            .select('other.upload')
            .where('other.scope', '=', scope)
            .where('other.id', '=', id),
        ),
      ),
    )
  try {
    return (await naming.executeTakeFirst()).numUpdatedRows === 1n
  } catch (thrown) {
    // Somebody completed the same content between our look and our write.
    if (isUniqueViolation(thrown)) return false
    throw thrown
  }
}

/** A stored blob: its size, the upload its chunks are bound to, and the chunks one by one. */
export type StoredBlob = { size: number; upload: string; chunks: AsyncIterable<Uint8Array> }

/** Finds a blob; its chunks are read as they are asked for, one row at a time. */
export async function getBlob(db: Queryable, { scope, id }: BlobName): Promise<StoredBlob | undefined> {
  const row = await db
    .selectFrom('blobs')
    .select(['upload', 'size', 'chunks'])
    .where('scope', '=', scope)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { size: row.size, upload: row.upload, chunks: chunksOf(db, row.upload, row.chunks) }
}

async function* chunksOf(db: Queryable, upload: string, count: number): AsyncIterable<Uint8Array> {
  for (let seq = 0; seq < count; seq++) {
    const row = await db
      .selectFrom('blob_chunks')
      .select('bytes')
      .where('upload', '=', upload)
      .where('seq', '=', seq)
      .executeTakeFirst()
    if (!row) throw failure('missing', 'blob.gone', 'The stored content was deleted while it was read.')
    yield row.bytes
  }
}

/** Deletes a blob; false when there is none. */
export async function deleteBlob(db: Queryable, { scope, id }: BlobName): Promise<boolean> {
  const result = await db.deleteFrom('blobs').where('scope', '=', scope).where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Deletes everything of a scope, for instance of a workspace that is gone. */
export async function deleteBlobs(db: Queryable, scope: string): Promise<void> {
  await db.deleteFrom('blobs').where('scope', '=', scope).execute()
}

async function deleteUpload(db: Queryable, upload: string): Promise<void> {
  await db.deleteFrom('blobs').where('upload', '=', upload).execute()
}

/** Deletes what uploads left behind that began before this time and never ended. */
export async function sweepUploads(db: Db, before: number): Promise<number> {
  const result = await db
    .deleteFrom('blobs')
    .where('id', 'is', null)
    .where('created_at', '<', before)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
