import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { testClient } from '../test/support/client.ts'
import { type Engine, eachEngine, emptyDatabase, testStore } from '../test/support/databases.ts'
import { earlierArchive, earlierDatabase, earlierStores } from '../test/support/earlier-stores.ts'
import { ownFolder } from '../test/support/folders.ts'
import { loadConfig } from './config/index.ts'
import { instant, systemClock } from './kernel/clock.ts'
import { silentLog } from './kernel/log.ts'
import { startServer } from './start.ts'
import { loadMigrations, migrate } from './storage/migrate.ts'
import { type Db, openStore, type StoreOptions } from './storage/open.ts'

/** An hour after the stores were made: none of their tokens has ended. */
const clock = { ...systemClock, now: () => instant(Date.UTC(2026, 10, 19, 5, 47)) }

/** A server on this database, with the seal key of the earlier one. */
async function serverOn(engine: Engine, { url, schema }: Pick<StoreOptions, 'url' | 'schema'>) {
  const directory = ownFolder()
  writeFileSync(join(directory, 'seal.key'), `${earlierStores[engine].sealKey}\n`, { mode: 0o600 })
  const storage = schema ? `${url}?options=-c%20search_path%3D${schema}` : url
  const place = ['--data-dir', directory, '--storage', storage, '--listen', 'off', '--http-listen', '127.0.0.1:0']
  const loaded = loadConfig({ mode: 'dev', args: [...place, '--root-token', 'root'], environment: {} })
  if (!loaded.ok) throw new Error('The configuration is wrong.')
  const server = await startServer(loaded.config, silentLog, { clock, runJobs: false })
  onTestFinished(() => server.close())
  const { http = '' } = await server.listen()
  return testClient({ url: http, token: 'root' })
}

/** What the calls that made the store have left behind, sealed values and keyed hashes included. */
async function expectEarlierData(engine: Engine, root: ReturnType<typeof testClient>) {
  const { userToken, serviceToken, workspace } = earlierStores[engine]
  const ann = root.as(userToken)
  const found = await ann.get(`/api/v2/workspaces/${workspace}`)
  expect(found.body.data.attributes).toMatchObject({ name: 'network', description: 'of before', locked: true })
  const variables = await ann.get(`/api/v2/workspaces/${workspace}/vars`)
  expect(variables.body.data.map((each: { attributes: { value: string } }) => each.attributes.value)).toEqual([
    'north',
    null,
  ])
  const state = await ann.get(`/api/v2/workspaces/${workspace}/current-state-version`)
  const { pathname, search } = new URL(state.body.data.attributes['hosted-state-download-url'])
  expect((await ann.get(pathname + search)).body).toMatchObject({ outputs: { address: { value: '10.0.0.1' } } })
  expect((await root.as(serviceToken).get('/v1/cubbyhole/note')).body.data).toEqual({ text: 'of before' })
  expect((await root.get('/v1/auth/cert/certs/web')).body.data).toMatchObject({ token_policies: ['reader'] })
}

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
  return all.map((row) => ({ ...row, text: String(row.text).replaceAll(`${schema ?? 'public'}.`, '') }))
}

const plain = (statement: string): string =>
  statement
    .toLowerCase()
    .replaceAll('"', '')
    .replace(/\s+/g, ' ')
    .replace(/(?<=\() | (?=\))/g, '')
    .replace(/(default \S+) not null/g, 'not null $1')
    .replace(/not null primary key/g, 'primary key not null')

eachEngine((engine) => {
  test('a store of before the baseline opens with its data, and is noted as having the baseline', async () => {
    const database = await earlierDatabase(engine)
    await expectEarlierData(engine, await serverOn(engine, database))
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

  test('a snapshot of before the baseline restores into a new store', async () => {
    const { options, remove } = await emptyDatabase(engine)
    onTestFinished(remove)
    const root = await serverOn(engine, options)
    const raw = readFileSync(earlierArchive(engine))
    const restored = await root.send('POST', '/v1/sys/storage/raft/snapshot', undefined, { raw })
    expect(restored.status, restored.text).toBe(200)
    await expectEarlierData(engine, root)
  })
})
