import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { eachEngine, testStore } from '../../test/support/databases.ts'
import type { Db, Queryable } from './database.ts'
import { isForeignKeyViolation, isUniqueViolation } from './database-errors.ts'
import { inTransaction, letOthersRead } from './transaction.ts'

const add = (db: Queryable, id: string) => db.insertInto('operations').values({ id, created_at: 1 }).execute()

async function ids(db: Queryable): Promise<string[]> {
  const rows = await db.selectFrom('operations').select('id').orderBy('id').execute()
  return rows.map((row) => row.id)
}

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error) => error.code ?? error.message,
  )

eachEngine((engine) => {
  describe('transaction', () => {
    test('between the steps of long work others read, and see none of it', async () => {
      const { db } = await testStore(engine)
      let isDone = false
      const seen: number[] = []
      const reading = (async () => {
        for (; !isDone; await nextTurn()) seen.push((await ids(db)).length)
      })()
      const readsMeanwhile = await inTransaction(db, async (tx) => {
        const before = seen.length
        for (let step = 0; step < 10; step++) {
          await add(tx, `id-${step}`)
          const end = performance.now() + 5
          while (performance.now() < end);
          await letOthersRead(tx)
        }
        return seen.slice(before)
      })
      isDone = true
      await reading
      expect(readsMeanwhile.length).toBeGreaterThan(2)
      expect(new Set(readsMeanwhile)).toEqual(new Set([0]))
      expect(await ids(db)).toHaveLength(10)
    })

    test('its writes are visible to the next read, and its result is returned', async () => {
      const { db } = await testStore(engine)
      const result = await inTransaction(db, async (tx) => {
        await add(tx, 'a')
        await add(tx, 'b')
        return (await ids(tx)).length
      })
      expect(result).toBe(2)
      expect(await ids(db)).toEqual(['a', 'b'])
    })

    test('work that throws is rolled back, and its error reaches the caller', async () => {
      const { db } = await testStore(engine)
      const thrown = new Error('no')
      const failing = inTransaction(db, async (tx) => {
        await add(tx, 'a')
        throw thrown
      })
      await expect(failing).rejects.toBe(thrown)
      expect(await ids(db)).toEqual([])
    })

    test('of 64 concurrent writers, the one that fails loses only its own writes', async () => {
      const { db } = await testStore(engine)
      const writers = Array.from({ length: 64 }, (_, number) =>
        inTransaction(db, async (tx) => {
          await add(tx, `${number}-first`)
          if (number === 31) throw new Error('number 31')
          await add(tx, `${number}-second`)
        }),
      )
      const outcomes = await Promise.all(writers.map(outcome))
      expect(outcomes.filter((text) => text !== 'ok')).toEqual(['number 31'])
      const written = await ids(db)
      expect(written).toHaveLength(126)
      expect(written.filter((id) => id.startsWith('31-'))).toEqual([])
    })

    test('uncommitted rows are not visible to others', async () => {
      const { db } = await testStore(engine)
      const written = Promise.withResolvers<void>()
      const looked = Promise.withResolvers<void>()
      const writing = inTransaction(db, async (tx) => {
        await add(tx, 'a')
        written.resolve()
        await looked.promise
      })
      await written.promise
      expect(await ids(db)).toEqual([])
      looked.resolve()
      await writing
      expect(await ids(db)).toEqual(['a'])
    })

    test('increments by compare-and-swap are all counted', async () => {
      const { db } = await testStore(engine)
      await add(db, 'counter')
      const increment = async (): Promise<void> => {
        const { created_at: was } = await db.selectFrom('operations').selectAll().executeTakeFirstOrThrow()
        const swap = db
          .updateTable('operations')
          .set({ created_at: was + 1 })
          .where('created_at', '=', was)
        if ((await swap.executeTakeFirst()).numUpdatedRows !== 1n) await increment()
      }
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let round = 0; round < 10; round++) await increment()
        }),
      )
      expect((await db.selectFrom('operations').selectAll().executeTakeFirstOrThrow()).created_at).toBe(81)
    })

    test('many single statements at once are all kept', async () => {
      const { db } = await testStore(engine)
      await Promise.all(Array.from({ length: 100 }, (_, number) => add(db, `${number}`)))
      expect(await ids(db)).toHaveLength(100)
    })
  })

  describe('transaction, used wrongly', () => {
    const refused = 'storage.outside-transaction'

    test.each<[string, (db: Db) => Promise<unknown>]>([
      ['a write', (db) => add(db, 'outside')],
      ['a read', (db) => ids(db)],
      ['another transaction', (db) => inTransaction(db, (tx) => add(tx, 'inner'))],
    ])('%s on the database inside a transaction is refused with storage.outside-transaction', async (_name, slip) => {
      const { db } = await testStore(engine)
      let seen: string | undefined
      await inTransaction(db, async (tx) => {
        await add(tx, 'mine')
        seen = await outcome(slip(db))
      })
      expect(seen).toBe(refused)
      expect(await ids(db)).toEqual(['mine'])
    })

    test('a transaction on a tx is refused', async () => {
      const { db } = await testStore(engine)
      const nested = inTransaction(db, (tx) => inTransaction(tx as unknown as Db, (inner) => add(inner, 'a')))
      expect(await outcome(nested)).toBe(refused)
    })

    test('work that a transaction started and did not await may use the database after the commit', async () => {
      const { db } = await testStore(engine)
      let later: Promise<string[]> | undefined
      const done = Promise.withResolvers<void>()
      await inTransaction(db, async (tx) => {
        await add(tx, 'a')
        later = done.promise.then(() => ids(db))
      })
      done.resolve()
      expect(await later).toEqual(['a'])
    })

    test('a tx used after its end is refused with storage.transaction-over', async () => {
      const { db } = await testStore(engine)
      const kept = await inTransaction(db, async (tx) => ({ tx }))
      expect(await outcome(add(kept.tx, 'late'))).toBe('storage.transaction-over')
      expect(await ids(db)).toEqual([])
    })

    test('after a failed statement the transaction fails, even if the work catches the error', async () => {
      const { db } = await testStore(engine)
      await add(db, 'taken')
      let second: string | undefined
      const hiding = inTransaction(db, async (tx) => {
        await add(tx, 'before')
        await add(tx, 'taken').catch(() => undefined)
        second = await outcome(add(tx, 'after'))
      })
      await expect(hiding).rejects.toSatisfy(isUniqueViolation)
      expect(second).toBe('storage.transaction-failed')
      expect(await ids(db)).toEqual(['taken'])
    })

    test('transactions started with Kysely directly are refused', async () => {
      const { db } = await testStore(engine)
      await expect(db.transaction().execute((tx) => add(tx, 'a'))).rejects.toThrow(/inTransaction/)
    })
  })

  describe('operation id', () => {
    test('a second operation with the same id fails with storage.operation-repeated and writes nothing', async () => {
      const { db } = await testStore(engine)
      const once = (id: string) => inTransaction(db, (tx) => add(tx, id), { operationId: 'op-1' })
      await once('a')
      expect(await outcome(once('b'))).toBe('storage.operation-repeated')
      expect(await ids(db)).toEqual(['a', 'op-1'])
    })

    test('the id of a failed operation may be used again', async () => {
      const { db } = await testStore(engine)
      const failing = inTransaction(db, () => Promise.reject(new Error('no')), { operationId: 'op-1' })
      expect(await outcome(failing)).toBe('no')
      await inTransaction(db, (tx) => add(tx, 'a'), { operationId: 'op-1' })
      expect(await ids(db)).toEqual(['a', 'op-1'])
    })
  })

  describe('both engines agree', () => {
    test('a unique violation is told from a foreign key violation', async () => {
      const { db } = await testStore(engine)
      await add(db, 'a')
      const twice = await add(db, 'a').catch((error) => error)
      const chunk = { upload: 'none', seq: 0, bytes: new Uint8Array(1) }
      const dangling = await db
        .insertInto('blob_chunks')
        .values(chunk)
        .execute()
        .catch((error) => error)
      expect([isUniqueViolation(twice), isForeignKeyViolation(twice)]).toEqual([true, false])
      expect([isUniqueViolation(dangling), isForeignKeyViolation(dangling)]).toEqual([false, true])
    })

    test('a transaction with a dangling reference fails as a conflict with storage.reference-changed', async () => {
      const { db } = await testStore(engine)
      const chunk = { upload: 'none', seq: 0, bytes: new Uint8Array(1) }
      const dangling = inTransaction(db, (tx) => tx.insertInto('blob_chunks').values(chunk).execute())
      expect(await dangling.catch((error) => error)).toMatchObject({
        kind: 'conflict',
        code: 'storage.reference-changed',
      })
    })

    test('text is ordered by its bytes', async () => {
      const { db } = await testStore(engine)
      for (const id of ['b', 'B', 'a', 'ä', 'A', '_', '1']) await add(db, id)
      expect(await ids(db)).toEqual(['1', 'A', 'B', '_', 'a', 'b', 'ä'])
    })

    test('whole numbers up to 2^53 come back as numbers, sums and counts too', async () => {
      const { db } = await testStore(engine)
      await db.insertInto('operations').values({ id: 'a', created_at: Number.MAX_SAFE_INTEGER }).execute()
      const row = await db
        .selectFrom('operations')
        .select((eb) => ['created_at', eb.fn.countAll<number>().as('count'), eb.fn.sum<number>('created_at').as('sum')])
        .groupBy('created_at')
        .executeTakeFirst()
      expect(row).toEqual({ created_at: Number.MAX_SAFE_INTEGER, count: 1, sum: Number.MAX_SAFE_INTEGER })
    })

    test('text in an integer column is refused', async () => {
      const { db } = await testStore(engine)
      const wrong = { id: 'a', created_at: 'soon' as unknown as number }
      await expect(db.insertInto('operations').values(wrong).execute()).rejects.toThrow()
    })

    test('bytes are returned as they were stored', async () => {
      const { db } = await testStore(engine)
      const bytes = Uint8Array.from([0, 1, 254, 255])
      await db
        .insertInto('blobs')
        .values({ upload: 'u', scope: 's', id: null, size: 4, chunks: 1, created_at: 0 })
        .execute()
      await db.insertInto('blob_chunks').values({ upload: 'u', seq: 0, bytes }).execute()
      const row = await db.selectFrom('blob_chunks').select('bytes').executeTakeFirstOrThrow()
      expect(Uint8Array.from(row.bytes)).toEqual(bytes)
    })

    test('"in" an empty list matches nothing, and "not in" matches everything', async () => {
      const { db } = await testStore(engine)
      await add(db, 'a')
      const within = await db.selectFrom('operations').selectAll().where('id', 'in', []).execute()
      const without = await db.selectFrom('operations').selectAll().where('id', 'not in', []).execute()
      expect([within.length, without.length]).toEqual([0, 1])
    })

    test('the time of the database is within five seconds of the local time', async () => {
      const { store } = await testStore(engine)
      expect(Math.abs((await store.databaseNow()) - Date.now())).toBeLessThan(5_000)
    })
  })
})
