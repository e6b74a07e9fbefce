import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type Engine, eachEngine, testStore } from '../test/support/databases.ts'
import { earlierDatabase, earlierServer, expectEarlierData } from '../test/support/earlier-stores.ts'
import { loadMigrations, migrate } from './storage/migrate.ts'
import { type Db, openStore } from './storage/open.ts'

/** Tables and indexes with all that belongs to them, in words that do not depend on who wrote the statements. */
async function schemaOf(engine: Engine, db: Db, schema: string | undefined): Promise<unknown[]> {
  const rows = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(db)).rows
  if (engine === 'sqlite') {
    const all = await rows(`select type, name, sql from sqlite_master where name <> 'migrations' order by type, name`)
    return all.map(({ sql, ...row }) => ({ ...row, sql: sql && plain(String(sql)) }))
  }
  const all = [
    ...(await rows(`select table_name, column_name, ordinal_position, data_type, collation_name, column_default,
      is_nullable from information_schema.columns where table_schema = current_schema() order by 1, 3`)),
    ...(await rows(`select conname, contype::text, conrelid::regclass::text, pg_get_constraintdef(oid) as text
      from pg_constraint where connamespace = current_schema()::regnamespace order by 1, 3`)),
    ...(await rows(
      'select indexname, indexdef as text from pg_indexes where schemaname = current_schema() order by 1',
    )),
  ]
  const schemas = new RegExp(`\\b(${schema ?? 'public'}|public)\\.`, 'g')
  return all.map((row) => ({ ...row, text: String(row.text).replace(schemas, '') }))
}

const plain = (statement: string): string =>
  statement
    .toLowerCase()
    .replaceAll('"', '')
    .replace(/\s+/g, ' ')
    .replace(/(?<=\() | (?=[),])/g, '')
    .replace(/(default \S+) not null/g, 'not null $1')
    .replace(/not null primary key/g, 'primary key not null')

eachEngine((engine) => {
  test('a store of before the baseline opens with its data, and is noted as having the baseline', async () => {
    const database = await earlierDatabase(engine)
    await expectEarlierData(engine, await earlierServer(engine, database))
    const store = await openStore(database)
    onTestFinished(() => store.close())
    const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(store.db)
    expect(rows.map(({ name }) => name)).toEqual((await loadMigrations()).map(({ name }) => name))
  })

  test('a store of before the baseline has the same tables, columns, keys and indexes as a new one', async () => {
    const database = await earlierDatabase(engine)
    const store = await openStore(database)
    onTestFinished(() => store.close())
    expect(await migrate(store)).toEqual((await loadMigrations()).map(({ name }) => name))
    const fresh = await testStore(engine)
    expect(await schemaOf(engine, store.db, database.schema)).toEqual(await schemaOf(engine, fresh.db, undefined))
  })

  test('a store that lacks one of the replaced migrations is refused and left as it is', async () => {
    const store = await openStore(await earlierDatabase(engine))
    onTestFinished(() => store.close())
    await sql`delete from migrations where name = '202611190410-links-of-invitations'`.execute(store.db)
    const names = () => sql`select * from migrations order by name`.execute(store.db)
    const before = (await names()).rows
    const refused = await migrate(store).catch((error) => error)
    expect(refused.code).toBe('storage.older-database')
    expect(refused.message).toMatch(
      /lacks the migration '202611190410-links-of-invitations'\. Start commit \w{8} on it once, then this version\.$/,
    )
    expect((await names()).rows).toEqual(before)
  })
})
