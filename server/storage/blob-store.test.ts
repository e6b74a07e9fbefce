import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { eachEngine, testEngines, testStore } from '../../test/support/databases.ts'
import { randomIds } from '../kernel/ids.ts'
import {
  claimBlob,
  deleteBlob,
  deleteBlobs,
  deleteUnclaimed,
  getBlob,
  insertBlob,
  maxChunkBytes,
  newUpload,
  putBlob,
  sweepUploads,
} from './blob-store.ts'
import type { Db, Tx } from './database.ts'
import { defaultConnections } from './postgres/primary.ts'
import { inTransaction } from './transaction.ts'

async function* stream(...chunks: Uint8Array[]): AsyncIterable<Uint8Array> {
  for (const chunk of chunks) yield chunk
}

/** Stores a stream; answers its name. */
async function put(db: Db, scope: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const upload = newUpload(randomIds)
  await putBlob(db, { scope, upload, chunks, createdAt: 1_000 })
  return upload
}

/** Stores chunks that are at hand; false where the scope has this name already. */
const insert = (tx: Tx, scope: string, id: string, chunks: readonly Uint8Array[]) =>
  insertBlob(tx, { scope, id, upload: newUpload(randomIds), chunks, createdAt: 1_000 })

async function read(db: Db, scope: string, id: string): Promise<Buffer | undefined> {
  const blob = await getBlob(db, { scope, id })
  return blob && Buffer.concat(await Array.fromAsync(blob.chunks))
}

/** The engines give different kinds of arrays. */
const bytesOf = (read: { value?: Uint8Array } | undefined): string => Buffer.from(read?.value ?? []).toString('hex')

async function countChunks(db: Db): Promise<number> {
  const row = await db
    .selectFrom('blob_chunks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return row?.count ?? 0
}

eachEngine((engine) => {
  describe('blob', () => {
    test('is read back as it was streamed in, only in its own scope', async () => {
      const { db } = await testStore(engine)
      const chunks = [randomIds.bytes(maxChunkBytes), randomIds.bytes(maxChunkBytes), randomIds.bytes(17)]
      const id = await put(db, 'ws-1', stream(...chunks))
      expect((await getBlob(db, { scope: 'ws-1', id }))?.size).toBe(2 * maxChunkBytes + 17)
      expect((await read(db, 'ws-1', id))?.equals(Buffer.concat(chunks))).toBe(true)
      expect(await read(db, 'ws-2', id)).toBeUndefined()
    })

    test('may be empty', async () => {
      const { db } = await testStore(engine)
      const id = await put(db, 'ws-1', stream())
      expect(await read(db, 'ws-1', id)).toHaveLength(0)
    })

    test('stored concurrently under one name is kept once per scope', async () => {
      const { db } = await testStore(engine)
      const content = [randomIds.bytes(10), randomIds.bytes(10)]
      const stored = await Promise.all(
        ['a', 'a', 'a', 'b'].map((scope) => inTransaction(db, (tx) => insert(tx, scope, 'content', content))),
      )
      expect(stored.toSorted()).toEqual([false, false, true, true])
      expect(await countChunks(db)).toBe(4)
      expect(await deleteBlob(db, { scope: 'a', id: 'content' })).toBe(true)
      expect(await read(db, 'b', 'content')).toHaveLength(20)
    })

    test('is stored and deleted by its transaction, and a rollback leaves nothing', async () => {
      const { db } = await testStore(engine)
      const failing = inTransaction(db, async (tx) => {
        await insert(tx, 'ws-1', 'content', [randomIds.bytes(5)])
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await countChunks(db)).toBe(0)
      await inTransaction(db, (tx) => insert(tx, 'ws-1', 'content', [randomIds.bytes(5)]))
      await inTransaction(db, (tx) => deleteBlob(tx, { scope: 'ws-1', id: 'content' }))
      expect(await countChunks(db)).toBe(0)
    })

    test('of many chunks is deleted as a whole, and others stay', async () => {
      const { db } = await testStore(engine)
      const id = await put(db, 'ws-1', stream(...Array.from({ length: 100 }, () => randomIds.bytes(3))))
      await put(db, 'ws-2', stream(randomIds.bytes(3)))
      expect(await countChunks(db)).toBe(101)
      expect(await deleteBlob(db, { scope: 'ws-1', id })).toBe(true)
      expect(await deleteBlob(db, { scope: 'ws-1', id })).toBe(false)
      expect(await countChunks(db)).toBe(1)
    })

    test('is deleted unless somebody has claimed it since', async () => {
      const { db } = await testStore(engine)
      const id = await put(db, 'ws-1', stream(randomIds.bytes(3)))
      const { upload, created_at } = await db.selectFrom('blobs').selectAll().executeTakeFirstOrThrow()
      await inTransaction(db, (tx) => claimBlob(tx, { scope: 'ws-1', id }, 5_000))
      await deleteUnclaimed(db, { upload, createdAt: created_at })
      expect(await countChunks(db)).toBe(1)
      await deleteUnclaimed(db, { upload, createdAt: 5_000 })
      expect(await countChunks(db)).toBe(0)
    })

    test('is deleted with its scope', async () => {
      const { db } = await testStore(engine)
      await put(db, 'ws-1', stream(randomIds.bytes(5)))
      await put(db, 'ws-1', stream(randomIds.bytes(5)))
      await inTransaction(db, (tx) => deleteBlobs(tx, 'ws-1'))
      expect(await countChunks(db)).toBe(0)
    })

    test('a chunk over the maximum size is refused with blob.chunk-too-large', async () => {
      const { db } = await testStore(engine)
      const large = put(db, 'ws-1', stream(new Uint8Array(maxChunkBytes + 1)))
      await expect(large).rejects.toMatchObject({ code: 'blob.chunk-too-large' })
    })

    test('an interrupted upload is swept later, a finished one stays', async () => {
      const { db } = await testStore(engine)
      const broken = async function* () {
        yield randomIds.bytes(5)
        throw new Error('connection reset')
      }
      await expect(put(db, 'ws-1', broken())).rejects.toThrow('connection reset')
      const id = await put(db, 'ws-1', stream(randomIds.bytes(5)))
      expect(await sweepUploads(db, 1_000)).toBe(0)
      expect(await sweepUploads(db, 1_001)).toBe(1)
      expect(await countChunks(db)).toBe(1)
      expect(await read(db, 'ws-1', id)).toHaveLength(5)
    })

    test('of interrupted uploads, all are swept however many there are', async () => {
      const { db } = await testStore(engine)
      const uploads = Array.from({ length: 201 }, (_, n) => `up-${n}`)
      const row = { scope: 'ws-1', id: null, size: 0, chunks: 0, created_at: 1 }
      await db
        .insertInto('blobs')
        .values(uploads.map((upload) => ({ upload, ...row })))
        .execute()
      await db
        .insertInto('blob_chunks')
        .values(uploads.map((upload) => ({ upload, seq: 0, bytes: Buffer.from('x') })))
        .execute()
      expect(await sweepUploads(db, 1_000)).toBe(201)
      expect(await countChunks(db)).toBe(0)
    })

    test('is read several chunks at a time', async () => {
      const { db } = await testStore(engine)
      const chunks = Array.from({ length: 6 }, () => randomIds.bytes(9))
      const id = await put(db, 'ws-1', stream(...chunks))
      const reading = (await getBlob(db, { scope: 'ws-1', id }))?.chunks[Symbol.asyncIterator]()
      expect(bytesOf(await reading?.next())).toEqual(bytesOf({ value: chunks[0] }))
      await deleteBlob(db, { scope: 'ws-1', id })
      for (const chunk of chunks.slice(1, 4)) expect(bytesOf(await reading?.next())).toEqual(bytesOf({ value: chunk }))
      await expect(reading?.next()).rejects.toMatchObject({ code: 'blob.gone' })
    })
  })
})

test.runIf(testEngines.includes('postgres'))(
  'blob: one that is being read waits for its turn while others use all connections',
  async () => {
    const { db, store } = await testStore('postgres')
    const chunks = Array.from({ length: 6 }, () => randomIds.bytes(9))
    const id = await put(db, 'ws-1', stream(...chunks))
    const reading = (await getBlob(db, { scope: 'ws-1', id }))?.chunks[Symbol.asyncIterator]()
    for (const chunk of chunks.slice(0, 4)) expect(bytesOf(await reading?.next())).toEqual(bytesOf({ value: chunk }))
    const hold = Promise.withResolvers<void>()
    const others = Array.from({ length: defaultConnections }, () => inTransaction(db, async () => await hold.promise))
    await expect.poll(() => store.load()).toMatchObject({ used: defaultConnections })
    const next = reading?.next()
    // Longer than a request that has not been answered yet waits.
    const refused = db.selectFrom('blobs').select('id').execute()
    await expect(refused).rejects.toMatchObject({ code: 'storage.saturated' })
    hold.resolve()
    await Promise.all(others)
    expect(bytesOf(await next)).toEqual(bytesOf({ value: chunks[4] }))
  },
)

test.runIf(testEngines.includes('postgres'))(
  'blob: those that are being read leave half of the connections to others',
  async () => {
    const { db, store, openAnother } = await testStore('postgres', { connections: 4 })
    const chunks = Array.from({ length: 6 }, () => randomIds.bytes(9))
    const id = await put(db, 'ws-1', stream(...chunks))
    const { db: elsewhere } = await openAnother()
    const [begun, hold] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const stuck = inTransaction(elsewhere, async (tx) => {
      await sql`lock table blob_chunks in access exclusive mode`.execute(tx)
      begun.resolve()
      await hold.promise
    })
    await begun.promise
    const readings = Array.from({ length: 8 }, () => read(db, 'ws-1', id))
    await expect.poll(() => store.load()).toMatchObject({ used: 2, waiting: 0 })
    const others = Array.from({ length: 8 }, () => db.selectFrom('blobs').select('id').execute())
    for (const rows of await Promise.all(others)) expect(rows).toEqual([{ id }])
    hold.resolve()
    await stuck
    for (const found of await Promise.all(readings)) expect(found).toEqual(Buffer.concat(chunks))
  },
)
