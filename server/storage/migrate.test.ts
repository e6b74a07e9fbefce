import { readdirSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Engine, eachEngine, emptyDatabase } from '../../test/support/databases.ts'
import { type ColumnTypes, loadMigrations, type Migration, migrate } from './migrate.ts'
import { openStore, type Store } from './open.ts'

/** Several stores on one empty database, as processes that start at the same moment. */
async function emptyStores(engine: Engine, count: number): Promise<Store[]> {
  const database = await emptyDatabase(engine)
  const stores = await Promise.all(Array.from({ length: count }, () => openStore(database.options)))
  onTestFinished(async () => {
    for (const store of stores) await store.close()
    await database.remove()
  })
  return stores
}

async function emptyStore(engine: Engine): Promise<Store> {
  const [store] = await emptyStores(engine, 1)
  return store as Store
}

const create = (name: string, table: string, before: () => void = () => undefined): Migration => ({
  name,
  up: async (db: Kysely<unknown>, types: ColumnTypes) => {
    before()
    await db.schema.createTable(table).addColumn('n', types.integer).execute()
  },
})

async function applied({ db }: Store): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  return rows.map((row) => row.name)
}

eachEngine((engine) => {
  describe('migrate', () => {
    test('an empty database gets all tables, and a second start changes nothing', async () => {
      const store = await emptyStore(engine)
      await migrate(store)
      const names = (await loadMigrations()).map((migration) => migration.name)
      expect(await applied(store)).toEqual(names)
      await migrate(store)
      expect(await applied(store)).toEqual(names)
      expect(await store.db.selectFrom('jobs').selectAll().execute()).toEqual([])
    })

    test('an older database is migrated and the applied migrations are returned; a new one returns none', async () => {
      const store = await emptyStore(engine)
      expect(await migrate(store, [create('a', 'a')])).toEqual([])
      const present = ['a', 'b', 'c'].map((name) => create(name, name))
      expect(await migrate(store, present)).toEqual(['b', 'c'])
      expect(await migrate(store, present)).toEqual([])
    })

    test('when several processes start at once, each migration runs once', async () => {
      const stores = await emptyStores(engine, 4)
      const runs: string[] = []
      const migrations = ['a', 'b', 'c'].map((name) => create(name, name, () => runs.push(name)))
      await Promise.all(stores.map((store) => migrate(store, migrations)))
      expect(runs).toEqual(['a', 'b', 'c'])
    })

    test('a database of a newer version is refused with storage.newer-database and left unchanged', async () => {
      const store = await emptyStore(engine)
      await migrate(store, [create('a', 'a'), create('b', 'b')])
      const refused = await migrate(store, [create('a', 'a'), create('c', 'c')]).catch((error) => error)
      expect(refused.code).toBe('storage.newer-database')
      expect(refused.message).toContain("newer version of Holdfast: it holds the migration 'b'")
      expect(await applied(store)).toEqual(['a', 'b'])
    })

    test('a baseline takes the place of what it replaces, once, and what came later runs', async () => {
      const stores = await emptyStores(engine, 3)
      const [store] = stores as [Store]
      await migrate(store, [create('a', 'a'), create('b', 'b')])
      const baseline = { ...create('c', 'a'), replaces: { migrations: ['a', 'b'], lastVersion: 'version 1' } }
      const present = [baseline, create('d', 'd')]
      await Promise.all(stores.map((each) => migrate(each, present)))
      expect(await applied(store)).toEqual(['c', 'd'])
      expect(await migrate(store, present)).toEqual([])
    })

    test('a database with some of what a baseline replaces is refused and left unchanged', async () => {
      const store = await emptyStore(engine)
      await migrate(store, [create('a', 'a')])
      const replaces = { migrations: ['a', 'b'], lastVersion: 'version 1' }
      const refused = await migrate(store, [{ ...create('c', 'c'), replaces }]).catch((error) => error)
      expect(refused.code).toBe('storage.older-database')
      expect(refused.message).toContain("lacks the migration 'b'. Start version 1 on it once")
      expect(await applied(store)).toEqual(['a'])
    })

    test('tables that a migration writes as plain SQL refuse values of other types, too', async () => {
      const store = await emptyStore(engine)
      const up: Migration['up'] = async (db, types) => void (await sql`create table a (n ${types.integer})`.execute(db))
      await migrate(store, [{ name: 'a', up }])
      await expect(sql`insert into a (n) values ('x')`.execute(store.db)).rejects.toThrow(/integer|bigint/i)
    })

    test('a failing migration is rolled back, earlier ones stay, and the next attempt continues there', async () => {
      const store = await emptyStore(engine)
      let isBroken = true
      const half: Migration = {
        name: 'b',
        up: async (db, types) => {
          await db.schema.createTable('b').addColumn('n', types.integer).execute()
          if (isBroken) throw new Error('power failure')
        },
      }
      const migrations = [create('a', 'a'), half]
      await expect(migrate(store, migrations)).rejects.toThrow('power failure')
      expect(await applied(store)).toEqual(['a'])
      isBroken = false
      await migrate(store, migrations)
      expect(await applied(store)).toEqual(['a', 'b'])
    })
  })
})

test('migrations: every file of the folder is loaded, in the order of the names', async () => {
  const names = (await loadMigrations()).map((migration) => migration.name)
  const files = readdirSync(new URL('./migrations/', import.meta.url)).filter((file) => file.endsWith('.ts'))
  expect(names).toEqual(files.map((file) => file.replace(/\.ts$/, '')).toSorted())
})
