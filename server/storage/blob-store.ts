import { sql } from 'kysely'
import { type Awaitable, allOf, andThen } from '../kernel/awaitable.ts'
import { failure } from '../kernel/failure.ts'
import type { Ids } from '../kernel/ids.ts'
import { limitConcurrency } from '../kernel/limit-concurrency.ts'
import { inBatches } from './batches.ts'
import { removeAllDependents, removeDependents } from './cascade.ts'
import type { Db, IdQuery, Queryable, Tx } from './database.ts'
import { isSaturated } from './database-errors.ts'
import { perStore } from './engine.ts'
import { hotQuery } from './hot.ts'
import { inTransaction, letOthersRead } from './transaction.ts'

/** A stored stream of bytes. `id` is null until the last chunk has arrived. */
interface BlobRow {
  upload: string
  scope: string
  id: string | null
  size: number
  chunks: number
  created_at: number
}

/** A piece of a blob, at most 256 KiB. */
interface BlobChunkRow {
  upload: string
  seq: number
  bytes: Uint8Array
}

declare module './tables.ts' {
  interface DescribedTables {
    blobs: BlobRow
    blob_chunks: BlobChunkRow
  }
}

/** Rows hold at most this many bytes; a caller that seals its chunks leaves room for what sealing adds. */
export const maxChunkBytes = 256 * 1024

/** A stored stream by its name within a scope, for instance one workspace. */
export type BlobName = { scope: string; id: string }

/** A stream on its way into the store. */
type BlobUpload = {
  scope: string
  /** A fresh name for this upload; callers that seal bind each chunk to it and to its number. */
  upload: string
  /** Chunks as they are stored, none larger than `maxChunkBytes`. */
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  createdAt: number
}

/** Names each column: while a hot query is built, its parameters are marks that cannot be spread. */
const columnsOf = (row: BlobRow): BlobRow => ({
  upload: row.upload,
  scope: row.scope,
  id: row.id,
  size: row.size,
  chunks: row.chunks,
  created_at: row.created_at,
})

const insertRow = hotQuery('blobs.insert', (db, row: BlobRow) => db.insertInto('blobs').values(columnsOf(row)))

const insertIfNew = hotQuery('blobs.insert-new', (db, row: BlobRow & { id: string }) =>
  db
    .insertInto('blobs')
    .values(columnsOf(row))
    .onConflict((conflict) => conflict.columns(['scope', 'id']).doNothing()),
)

const insertChunk = hotQuery('blobs.insert-chunk', (db, row: BlobChunkRow) =>
  db.insertInto('blob_chunks').values({ upload: row.upload, seq: row.seq, bytes: row.bytes }),
)

/** Draws the name of a new upload. */
export const newUpload = (ids: Ids): string => ids.text(24)

/** Stores a stream chunk by chunk and names it after its upload. One that breaks off has no name, and is swept later. */
export async function putBlob(db: Queryable, { scope, upload, createdAt, ...blob }: BlobUpload): Promise<void> {
  await insertRow.run(db, { upload, scope, id: null, size: 0, chunks: 0, created_at: createdAt })
  let [size, chunks] = [0, 0]
  for await (const bytes of blob.chunks) {
    refuseOversized(bytes)
    await insertChunk.run(db, { upload, seq: chunks, bytes })
    size += bytes.length
    chunks += 1
  }
  await nameUpload(db, upload, { upload, size, chunks })
}

/** Stores a blob whose chunks are all at hand under the name of its content; false when its scope has that already. */
export function insertBlob(
  tx: Tx,
  blob: Pick<BlobUpload, 'scope' | 'upload' | 'createdAt'> & { id: string; chunks: readonly Uint8Array[] },
): Awaitable<boolean> {
  const { scope, upload, id, chunks } = blob
  for (const bytes of chunks) refuseOversized(bytes)
  const size = chunks.reduce((sum, bytes) => sum + bytes.length, 0)
  const row = { upload, scope, id, size, chunks: chunks.length, created_at: blob.createdAt }
  return andThen(insertIfNew.run(tx, row), (inserted) => {
    if (inserted !== 1) return false
    return andThen(allOf(chunks.map((bytes, seq) => insertChunk.run(tx, { upload, seq, bytes }))), () => true)
  })
}

/** A stored stream: the upload its chunks are bound to, their bytes, and how many there are. */
export type WrittenUpload = { readonly upload: string; readonly size: number; readonly chunks: number }

/** Sealed bytes that share one durable commit while a large stream is written. */
const groupBytes = 2 * 1024 * 1024

/** Stores a stream as it arrives, without a name; `nameUpload` gives it one, and what never gets one is swept later. */
export async function writeUpload(db: Db, blob: BlobUpload): Promise<WrittenUpload> {
  const { scope, upload } = blob
  await insertRow.run(db, { upload, scope, id: null, size: 0, chunks: 0, created_at: blob.createdAt })
  let [size, chunks, waiting] = [0, 0, 0]
  let group: Uint8Array[] = []
  const write = async (): Promise<void> => {
    const [from, rows] = [chunks - group.length, group]
    await inTransaction(db, async (tx) => {
      for (const [index, bytes] of rows.entries()) await insertChunk.run(tx, { upload, seq: from + index, bytes })
    })
    group = []
    waiting = 0
  }
  for await (const bytes of blob.chunks) {
    refuseOversized(bytes)
    group.push(bytes)
    chunks += 1
    size += bytes.length
    waiting += bytes.length
    if (waiting >= groupBytes) await write()
  }
  await write()
  return { upload, size, chunks }
}

/** Gives a written upload a name that its scope does not have yet; false when the upload was swept. */
export async function nameUpload(db: Queryable, id: string, { upload, size, chunks }: WrittenUpload): Promise<boolean> {
  const naming = db.updateTable('blobs').set({ id, size, chunks }).where('upload', '=', upload)
  return (await naming.executeTakeFirst()).numUpdatedRows === 1n
}

function refuseOversized(bytes: Uint8Array): void {
  if (bytes.length <= maxChunkBytes) return
  throw failure('internal', 'blob.chunk-too-large', `A chunk of ${bytes.length} bytes exceeds ${maxChunkBytes}.`)
}

/** A stored blob with its chunks, read a few at a time. */
type StoredBlob = { size: number; chunks: AsyncIterable<Uint8Array> }

const byName = hotQuery('blobs.by-name', (db, name: BlobName) =>
  db.selectFrom('blobs').select(['upload', 'size', 'chunks']).where('scope', '=', name.scope).where('id', '=', name.id),
)

/** Chunks that are read in one query: together at most 1 MiB. */
const chunksPerQuery = 4

const nextChunks = hotQuery('blobs.next-chunks', (db, { upload, from }: { upload: string; from: number }) =>
  db
    .selectFrom('blob_chunks')
    .select('bytes')
    .where('upload', '=', upload)
    .where('seq', '>=', from)
    .orderBy('seq')
    .limit(chunksPerQuery),
)

const allChunks = hotQuery('blobs.chunks', (db, { upload }: { upload: string }) =>
  db.selectFrom('blob_chunks').select('bytes').where('upload', '=', upload).orderBy('seq'),
)

/** Finds a blob; its chunks are read as they are asked for, a few rows at a time. */
export async function getBlob(db: Queryable, name: BlobName): Promise<StoredBlob | undefined> {
  const row = await byName.first(db, name)
  return row && { size: row.size, chunks: streamChunks(db, row) }
}

/** All chunks of a small blob at once. */
export async function loadChunks(db: Queryable, { upload, chunks }: WrittenUpload): Promise<Uint8Array[]> {
  const rows = await allChunks.all(db, { upload })
  if (rows.length !== chunks) throw blobGone()
  return rows.map(({ bytes }) => bytes)
}

/** All who read large files use at most half of the connections at a time, so that short requests find one. */
const readingTurn = perStore(({ load }) =>
  limitConcurrency('limit' in load ? Math.floor(load.limit / 2) : Number.POSITIVE_INFINITY),
)

/** The chunks of a blob, a few rows at a time. */
export async function* streamChunks(db: Queryable, { upload, chunks }: WrittenUpload): AsyncIterable<Uint8Array> {
  for (let from = 0; from < chunks; from += chunksPerQuery) {
    const rows = await readingTurn(db)(() => inTurn(async () => await nextChunks.all(db, { upload, from })))
    if (rows.length < Math.min(chunksPerQuery, chunks - from)) throw blobGone()
    for (const { bytes } of rows) yield bytes
  }
}

/** How often a read that is under way waits for a connection, which is a few seconds each time: a minute in all. */
const turnsAwaited = 20

/** Asks again while others use all connections. The head of the answer may be gone, and then it cannot say "try again". */
async function inTurn<T>(ask: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn++) {
    try {
      return await ask()
    } catch (thrown) {
      if (turn === turnsAwaited || !isSaturated(thrown)) throw thrown
    }
  }
}

const blobGone = () => failure('missing', 'blob.gone', 'The stored content was deleted while it was read.')

const claim = hotQuery('blobs.claim', (db, { scope, id, now }: BlobName & { now: number }) =>
  db
    .updateTable('blobs')
    .set((eb) => ({
      created_at: sql<number>`case when ${eb.ref('created_at')} >= ${now} then ${eb.ref('created_at')} + 1 else ${now} end`,
    }))
    .where('scope', '=', scope)
    .where('id', '=', id),
)

/**
 * Claims a blob for a row that is about to refer to it; false when it does not exist or was deleted. Claiming changes its
 * time, and `deleteUnclaimed` requires the time that was read before: of the two, one wins.
 */
export const claimBlob = (tx: Tx, name: BlobName, now: number): Awaitable<boolean> =>
  andThen(claim.run(tx, { ...name, now }), (claimed) => claimed === 1)

/** Chunks that are deleted at once: together at most 2 MiB, whose pages SQLite has to read for that. */
const chunksPerDeletion = 8

/** Streams that are deleted in one transaction; each may be large. */
const streamsPerSweep = 100

/** Deletes stored streams, a few chunks at a time; returns how many there were. */
async function deleteStreams(db: Queryable, uploads: readonly string[]): Promise<number> {
  if (uploads.length === 0) return 0
  await removeAllDependents(db, 'blobs', uploads, chunksPerDeletion)
  return Number((await db.deleteFrom('blobs').where('upload', 'in', uploads).executeTakeFirst()).numDeletedRows)
}

/** Deletes a blob that was not claimed since its time was read. */
export async function deleteUnclaimed(
  db: Db,
  { upload, createdAt }: { readonly upload: string; readonly createdAt: number },
): Promise<void> {
  const unclaimed = (tx: Tx) =>
    tx.selectFrom('blobs').select('upload').where('upload', '=', upload).where('created_at', '=', createdAt).forUpdate()
  await inTransaction(db, async (tx) => {
    if (await unclaimed(tx).executeTakeFirst()) await deleteStreams(tx, [upload])
  })
}

/** Deletes a blob; false when there is none. Nothing counts references: the caller knows that nobody needs it any more. */
export async function deleteBlob(db: Queryable, { scope, id }: BlobName): Promise<boolean> {
  const row = await byName.first(db, { scope, id })
  return row !== undefined && (await deleteStreams(db, [row.upload])) === 1
}

/** Deletes everything of a scope, for instance of a workspace that is gone. */
export async function deleteBlobs(tx: Tx, scope: string): Promise<void> {
  while ((await deleteSomeBlobs(tx, [scope], chunksPerDeletion)) > 0) await letOthersRead(tx)
}

/** Deletes up to about `limit` chunks of everything in these scopes, and returns how many rows it has deleted. */
export async function deleteSomeBlobs(tx: Tx, scopes: readonly string[], limit: number): Promise<number> {
  const blobs = await tx.selectFrom('blobs').select('upload').where('scope', 'in', scopes).limit(limit).execute()
  const uploads = blobs.map(({ upload }) => upload)
  if (uploads.length === 0) return 0
  const chunks = await removeDependents(tx, 'blobs', uploads, limit)
  if (chunks >= limit) return chunks
  await tx.deleteFrom('blobs').where('upload', 'in', uploads).execute()
  return chunks + uploads.length
}

/** Deletes an upload that turned out to be needless; one that has a name stays. */
export async function deleteUpload(db: Queryable, upload: string): Promise<void> {
  const nameless = db.selectFrom('blobs').select('upload').where('upload', '=', upload).where('id', 'is', null)
  if (await nameless.executeTakeFirst()) await deleteStreams(db, [upload])
}

const uploadsOf = (rows: readonly { readonly upload: string }[]): string[] => rows.map(({ upload }) => upload)

/** Deletes what uploads left behind that began before this time and never ended. */
export const sweepUploads = (db: Db, before: number): Promise<number> =>
  inBatches(
    db,
    async (tx, limit) => {
      const left = tx.selectFrom('blobs').select('upload').where('id', 'is', null).where('created_at', '<', before)
      return await deleteStreams(tx, uploadsOf(await left.limit(limit).forUpdate().execute()))
    },
    streamsPerSweep,
  )

/** Deletes blobs from before this time in the scopes that begin so, except those whose ids are in use. */
export async function sweepBlobs(
  db: Db,
  { scopePrefix, before, inUse }: { scopePrefix: string; before: number; inUse: IdQuery },
): Promise<void> {
  await inBatches(
    db,
    async (tx, limit) => {
      const unused = tx
        .selectFrom('blobs')
        .select('upload')
        .where('scope', '>=', scopePrefix)
        .where('scope', '<', `${scopePrefix}\u007f`)
        .where('created_at', '<', before)
        .where('id', 'not in', inUse)
      return await deleteStreams(tx, uploadsOf(await unused.limit(limit).forUpdate().execute()))
    },
    streamsPerSweep,
  )
}
