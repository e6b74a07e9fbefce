import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, onTestFinished, TestRunner } from 'vitest'
import { systemClock } from '../../server/kernel/clock.ts'
import { randomIds } from '../../server/kernel/ids.ts'
import { silentLog } from '../../server/kernel/log.ts'
import type { EngineKind } from '../../server/storage/dialect.ts'
import { migrate } from '../../server/storage/migrate.ts'
import { type Db, openStore, type Store, type StoreOptions } from '../../server/storage/open.ts'
import { temporaryFolder } from './folders.ts'

/** The engines a store test runs on. */
export type Engine = EngineKind

/** The engines of this run: `HOLDFAST_TEST_ENGINES`, by default both. */
export const testEngines = (process.env.HOLDFAST_TEST_ENGINES ?? 'sqlite,postgres')
  .split(',')
  .filter((name): name is Engine => name === 'sqlite' || name === 'postgres')

/** Runs a group of tests once on each engine. */
export function eachEngine(body: (engine: Engine) => void): void {
  for (const engine of testEngines) describe(engine, () => body(engine))
}

/** Resolves once somebody waits for a lock that the asking session holds; only PostgreSQL has such locks. */
export async function untilAwaited(ask: (query: string) => Promise<{ readonly rows: unknown[] }>): Promise<void> {
  const waiting = 'select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))'
  await expect.poll(async () => (await ask(waiting)).rows.length, { interval: 10 }).toBeGreaterThan(0)
}

/** A place for a database that is removed with the test. */
type TestDatabase = { options: StoreOptions; remove(): Promise<void> }

/** What a test may choose about its store. */
type TestStoreOptions = Partial<
  Pick<StoreOptions, 'clock' | 'log' | 'durability' | 'databaseClock' | 'node' | 'connections'>
>

/** A test that brings a clock moves the database's time with it. */
const commonOptions = (options: TestStoreOptions) => {
  const databaseClock = options.clock ? 'given' : 'server'
  return { log: silentLog, clock: systemClock, durability: 'off', databaseClock, node: 'test', ...options } as const
}

function sqliteDatabase(options: TestStoreOptions): TestDatabase & { file: string } {
  const folder = temporaryFolder()
  const file = join(folder, 'holdfast.db')
  return {
    file,
    options: { ...commonOptions(options), url: `sqlite:${file}` },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The address of the run's PostgreSQL. */
export function postgresUrl(): string {
  const url = inject('postgresUrl')
  if (!url) throw new Error('This test needs PostgreSQL, which test/support/global-setup.ts starts.')
  return url
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

async function withPostgres<T>(action: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connected(postgresUrl())
  try {
    return await action(client)
  } finally {
    await client.end()
  }
}

async function postgresSchema(options: TestStoreOptions): Promise<TestDatabase> {
  const schema = `test_${randomIds.hex(12)}`
  await withPostgres((client) => client.query(`create schema ${schema}`))
  return {
    options: { ...commonOptions(options), url: postgresUrl(), schema },
    remove: async () => {
      await withPostgres((client) => client.query(`drop schema ${schema} cascade`))
    },
  }
}

/** An empty database, without tables. */
export const emptyDatabase = async (engine: Engine, options: TestStoreOptions = {}): Promise<TestDatabase> =>
  engine === 'sqlite' ? sqliteDatabase(options) : await postgresSchema(options)

/** The address of an empty PostgreSQL, for programs that are started with it, and what removes it. */
export async function emptyPostgres(): Promise<{ url: string; remove(): Promise<void> }> {
  const { options, remove } = await postgresSchema({})
  return { url: `${options.url}?options=-c%20search_path%3D${options.schema}`, remove }
}

async function migrateDatabase(options: StoreOptions): Promise<void> {
  const store = await openStore(options)
  try {
    await migrate(store)
  } finally {
    await store.close()
  }
}

let sqliteTemplate: Promise<Buffer> | undefined

/** Migrations run once for each process; every store begins as a copy. */
async function migratedSqlite(options: TestStoreOptions): Promise<TestDatabase> {
  sqliteTemplate ??= (async () => {
    const first = sqliteDatabase({})
    await migrateDatabase(first.options)
    const bytes = readFileSync(first.file)
    await first.remove()
    return bytes
  })()
  const database = sqliteDatabase(options)
  writeFileSync(database.file, await sqliteTemplate)
  return database
}

/** A migrated database that serves one test after another. */
type LastingDatabase = { readonly url: string; empty(): Promise<void> }

/** Databases of this process that no test uses at the moment; creating one takes ten times as long as emptying it. */
const freeDatabases: LastingDatabase[] = []

/** Which of these tables have rows; to ask for all at once is less work than to empty them. */
async function filledTables(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const asked = tables.map((table) => `select '${table}' as name where exists (select from public.${table})`)
  return (await client.query<{ name: string }>(asked.join(' union all '))).rows.map(({ name }) => name)
}

/** Its connection stays open, since PostgreSQL would learn about all the tables anew with each. */
async function createPostgresDatabase(): Promise<LastingDatabase> {
  const name = `test_${randomIds.hex(12)}`
  const url = postgresUrl().replace(/\/[^/]*$/, `/${name}`)
  await withPostgres((client) => client.query(`create database ${name}`))
  await migrateDatabase({ ...commonOptions({}), url })
  const client = await connected(url)
  const tableNames = `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`
  const tables = (await client.query<{ name: string }>(tableNames)).rows.map(({ name }) => name)
  // What migrations have written is kept aside, to be put back.
  const seeded = await filledTables(client, tables)
  const copies = seeded.map((table) => `create table seeds.${table} as table public.${table}`)
  await client.query(['create schema seeds', ...copies].join(';'))
  await client.query(`set lock_timeout = '2s'; set session_replication_role = replica`)
  const puttingBack = seeded.map((table) => `insert into public.${table} select * from seeds.${table}`)
  const empty = async () => {
    const filled = await filledTables(client, tables)
    // What is sent as one is one transaction.
    await client.query([...filled.map((table) => `delete from public.${table}`), ...puttingBack].join(';'))
  }
  return { url, empty }
}

/** Migrations run once for each database. */
async function migratedPostgres(options: TestStoreOptions): Promise<TestDatabase> {
  const database = freeDatabases.pop() ?? (await createPostgresDatabase())
  const remove = async () => {
    await database.empty()
    freeDatabases.push(database)
  }
  return { options: { ...commonOptions(options), url: database.url }, remove }
}

/** A store of a test, and other stores on the same data. */
export type TestStore = {
  readonly store: Store
  readonly db: Db
  /** Opens the same data once more, as another process would. */
  openAnother(options?: TestStoreOptions): Promise<Store>
  /** Closes the store and everything opened on it, and removes the data. Done automatically at the end of the test. */
  close(): Promise<void>
}

/** A migrated store. Opened in a hook it must be closed by hand; opened in a test it closes by itself. */
export async function testStore(engine: Engine = 'sqlite', options: TestStoreOptions = {}): Promise<TestStore> {
  const database = await (engine === 'sqlite' ? migratedSqlite(options) : migratedPostgres(options))
  const store = await openStore(database.options)
  const opened = [store]
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= Promise.all(opened.map((one) => one.close())).then(() => database.remove())
    return closing
  }
  if (TestRunner.getCurrentTest()) onTestFinished(close)
  return {
    store,
    db: store.db,
    openAnother: async (other = {}) => {
      const another = await openStore({ ...database.options, ...other })
      opened.push(another)
      return another
    },
    close,
  }
}
