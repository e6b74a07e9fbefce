import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { eachEngine, testStore } from '../../test/support/databases.ts'
import { hotQuery, type Params } from './hot.ts'
import { type Db, perStore } from './open.ts'
import { inTransaction } from './transaction.ts'

const operation = hotQuery('test.operation', (db, p: Params<{ id: string }>) =>
  db.selectFrom('operations').selectAll().where('id', '=', p.id),
)

const add = (db: Db, id: string) =>
  inTransaction(db, (tx) => tx.insertInto('operations').values({ id, created_at: 7 }).execute())

const idsOf = (db: Db) => db.selectFrom('operations').select('id').orderBy('id').execute()

/** Counts in the database, which takes it a while. */
const countTo = async (db: Db, last: number) =>
  (
    await db
      .withRecursive('n(i)', (cte) =>
        cte
          .selectNoFrom(sql<number>`1`.as('i'))
          .unionAll(cte.selectFrom('n').select(sql<number>`i + 1`.as('i')).where('i', '<', last)),
      )
      .selectFrom('n')
      .select(({ fn }) => fn.countAll<number>().as('counted'))
      .executeTakeFirstOrThrow()
  ).counted

eachEngine((engine) => {
  describe('reads', () => {
    test('a read sees every write that was answered before it began', async () => {
      const { store, db } = await testStore(engine)
      for (let n = 1; n <= 20; n++) {
        await add(db, `id-${n}`)
        expect(await idsOf(store.reads)).toHaveLength(n)
      }
    })

    test('hot queries and values kept for a store work with both handles', async () => {
      const { store, db } = await testStore(engine)
      const kept = perStore(() => ({}))
      await add(db, 'a')
      expect(await operation.first(store.reads, { id: 'a' })).toEqual({ id: 'a', created_at: 7 })
      expect(await operation.all(store.reads, { id: 'none' })).toEqual([])
      expect(kept(store.reads)).toBe(kept(db))
    })

    test('while a long read runs, others read and write', async () => {
      const { store, db } = await testStore(engine)
      let isDone = false
      const counting = countTo(store.reads, 500_000).finally(() => {
        isDone = true
      })
      for (let n = 0; n < 20; n++) {
        await add(db, `id-${n}`)
        expect(await operation.first(db, { id: `id-${n}` })).toBeDefined()
      }
      expect(isDone).toBe(false)
      expect(await counting).toBe(500_000)
    })

    test('what the database says about a statement is the same as of `db`', async () => {
      const { store, db } = await testStore(engine)
      const wrong = (on: Db) => sql`select nothing from operations`.execute(on).catch((error) => error.message)
      expect(await wrong(store.reads)).toBe(await wrong(db))
    })

    test('inside a transaction a read is refused, because it would not see what was written', async () => {
      const { store, db } = await testStore(engine)
      const work = () => inTransaction(db, async () => await idsOf(store.reads))
      await expect(work()).rejects.toMatchObject({ code: 'storage.outside-transaction' })
    })
  })
})

test('reads: on SQLite, the handle refuses to write', async () => {
  const { store, db } = await testStore('sqlite')
  const insert = store.reads.insertInto('operations').values({ id: 'a', created_at: 7 }).execute()
  await expect(insert).rejects.toMatchObject({ code: 'storage.reads-only' })
  await expect(add(store.reads, 'a')).rejects.toMatchObject({ code: 'storage.reads-only' })
  expect(await idsOf(db)).toEqual([])
})
