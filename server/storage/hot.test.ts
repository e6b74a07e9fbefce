import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { eachEngine, emptyDatabase, testStore } from '../../test/support/databases.ts'
import type { Awaitable } from '../kernel/awaitable.ts'
import { isClaimLost, isUniqueViolation } from './database-errors.ts'
import { hotQuery, type Params, renderHotQueries } from './hot.ts'
import { migrate } from './migrate.ts'
import { openStore, type Tx } from './open.ts'
import { inTransaction } from './transaction.ts'

const load = hotQuery('test.load', (db, p: Params<{ id: string }>) =>
  db.selectFrom('operations').selectAll().where('id', '=', p.id),
)
const list = hotQuery('test.list', (db, p: Params<{ after: string; limit: number }>) =>
  db.selectFrom('operations').select('id').where('id', '>', p.after).orderBy('id').limit(p.limit),
)
const add = hotQuery('test.add', (db, p: Params<{ id: string }>) =>
  db.insertInto('operations').values({ id: p.id, created_at: 7 }),
)
const touch = hotQuery('test.touch', (db, p: Params<{ id: string; at: number }>) =>
  db.updateTable('operations').set({ created_at: p.at }).where('id', '=', p.id).returning('created_at'),
)

const move = hotQuery('test.move', (db, p: Params<{ id: string; at: number }>) =>
  db.updateTable('operations').set({ created_at: p.at }).where('id', '=', p.id),
)

eachEngine((engine) => {
  describe('hot query', () => {
    test('runs with new values each time, on the database and in a transaction', async () => {
      const { db } = await testStore(engine)
      expect(await add.run(db, { id: 'a' })).toBe(1)
      await inTransaction(db, async (tx) => {
        await add.run(tx, { id: 'b' })
        expect(await load.first(tx, { id: 'b' })).toEqual({ id: 'b', created_at: 7 })
      })
      expect(await load.first(db, { id: 'a' })).toEqual({ id: 'a', created_at: 7 })
      expect(await load.first(db, { id: 'none' })).toBeUndefined()
      expect(await list.all(db, { after: '', limit: 1 })).toEqual([{ id: 'a' }])
      expect(await list.all(db, { after: 'a', limit: 9 })).toEqual([{ id: 'b' }])
      expect(await touch.first(db, { id: 'b', at: 9 })).toEqual({ created_at: 9 })
      expect(await touch.run(db, { id: 'none', at: 9 })).toBe(0)
    })

    test('300 concurrent reads each get their own row', async () => {
      const { db } = await testStore(engine)
      const ids = Array.from({ length: 300 }, (_, n) => `id-${n}`)
      await Promise.all(ids.map((id) => add.run(db, { id })))
      const asked = [...ids, 'none', ...ids.toReversed()]
      const found = await Promise.all(asked.map((id) => load.first(db, { id })))
      expect(found.map((row) => row && Object.values(row))).toEqual(
        asked.map((id) => (id === 'none' ? undefined : [id, 7])),
      )
    })

    test('a concurrent read with an invalid value does not affect the others', async () => {
      const { db } = await testStore(engine)
      await add.run(db, { id: 'a' })
      const ids = ['a', 'a', 'b', 'a\0b', 'a', 'c']
      const found = await Promise.allSettled(ids.map((id) => load.first(db, { id })))
      const good = { status: 'fulfilled', value: { id: 'a', created_at: 7 } }
      expect(found.filter((_, index) => ids[index] === 'a')).toEqual([good, good, good])
      expect(found[3]).not.toMatchObject({ value: { id: 'a' } })
    })

    test('runBeforeCommit statements are committed in order with the transaction, or not at all', async () => {
      const { db } = await testStore(engine)
      await inTransaction(db, async (tx) => {
        await add.runBeforeCommit(tx, { id: 'b' })
        await add.run(tx, { id: 'a' })
        await add.runBeforeCommit(tx, { id: 'c' })
      })
      await inTransaction(db, (tx) => add.runBeforeCommit(tx, { id: 'd' }))
      expect((await list.all(db, { after: '', limit: 9 })).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
      const failing = inTransaction(db, async (tx) => {
        await add.run(tx, { id: 'e' })
        await add.runBeforeCommit(tx, { id: 'a' })
        await add.runBeforeCommit(tx, { id: 'f' })
      })
      expect(isUniqueViolation(await failing.catch((error) => error))).toBe(true)
      const refused = inTransaction(db, async (tx) => {
        await add.runBeforeCommit(tx, { id: 'g' })
        throw new Error('no')
      })
      await expect(refused).rejects.toThrow('no')
      expect(await list.all(db, { after: 'd', limit: 9 })).toEqual([])
      expect(await inTransaction(db, async () => 'nothing asked')).toBe('nothing asked')
    })

    test('claimBeforeCommit fails the whole transaction unless it matches exactly one row', async () => {
      const { db } = await testStore(engine)
      await inTransaction(db, async (tx) => {
        await add.run(tx, { id: 'a' })
        await add.run(tx, { id: 'b' })
        await touch.claimBeforeCommit(tx, { id: 'a', at: 8 })
        await load.claimBeforeCommit(tx, { id: 'b' })
        await move.claimBeforeCommit(tx, { id: 'b', at: 9 })
        await add.runBeforeCommit(tx, { id: 'c' })
      })
      expect(await load.first(db, { id: 'a' })).toMatchObject({ created_at: 8 })
      const claims: ((tx: Tx) => Awaitable<void>)[] = [
        (tx) => touch.claimBeforeCommit(tx, { id: 'z', at: 9 }),
        (tx) => load.claimBeforeCommit(tx, { id: 'z' }),
        (tx) => move.claimBeforeCommit(tx, { id: 'z', at: 9 }),
        (tx) => list.claimBeforeCommit(tx, { after: '', limit: 2 }),
      ]
      for (const claim of claims) {
        const lost = inTransaction(db, async (tx) => {
          await add.run(tx, { id: 'd' })
          await claim(tx)
          await add.runBeforeCommit(tx, { id: 'e' })
        })
        expect(isClaimLost(await lost.catch((error) => error))).toBe(true)
      }
      expect((await list.all(db, { after: '', limit: 9 })).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    })

    test('still works after a migration has changed its table', async () => {
      const database = await emptyDatabase(engine)
      const store = await openStore(database.options)
      onTestFinished(async () => {
        await store.close()
        await database.remove()
      })
      await migrate(store)
      await add.run(store.db, { id: 'a' })
      await load.first(store.db, { id: 'a' })
      await inTransaction(store.db, (tx) => load.first(tx, { id: 'a' }))
      await sql`alter table operations add column extra integer default 5`.execute(store.db)
      const expected = { id: 'a', created_at: 7, extra: 5 }
      expect(await load.first(store.db, { id: 'a' })).toEqual(expected)
      await sql`alter table operations add column more integer`.execute(store.db)
      const inside = await inTransaction(store.db, (tx) => load.first(tx, { id: 'a' }))
      expect(inside).toEqual({ ...expected, more: null })
    })
  })
})

test('hot query: its SQL is rendered for both engines', () => {
  expect(renderHotQueries('postgres')).toContain('-- test.load (:id)\nselect * from "operations" where "id" = $1;\n')
  expect(renderHotQueries('sqlite')).toContain(
    '-- test.list (:after, :limit)\nselect "id" from "operations" where "id" > ? order by "id" limit ? + 0;\n',
  )
})

test('hot query: two queries with one name are an error', () => {
  expect(() => hotQuery('test.load', (db) => db.selectFrom('operations').select('id'))).toThrow('Two hot queries')
})
