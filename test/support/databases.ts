import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, inject, onTestFinished, TestRunner } from 'vitest'
import { systemClock } from '../../server/kernel/clock.ts'
import { randomIds } from '../../server/kernel/ids.ts'
import { silentLog } from '../../server/kernel/log.ts'
import { migrate } from '../../server/storage/migrate.ts'
import { type Db, openStore, type Store, type StoreOptions } from '../../server/storage/open.ts'

/** The engines a store test runs on. */
export type Engine = 'sqlite' | 'postgres'

/** The engines of this run: `HOLDFAST_TEST_ENGINES`, both unless told. */
export const testEngines = (process.env.HOLDFAST_TEST_ENGINES ?? 'sqlite,postgres')
  .split(',')
  .filter((name): name is Engine => name === 'sqlite' || name === 'postgres')

/** Runs a group of tests once on each engine. */
export function eachEngine(body: (engine: Engine) => void): void {
  for (const engine of testEngines) describe(engine, () => body(engine))
}

/** A place for a database that goes away with the test. */
export type TestDatabase = { options: StoreOptions; remove(): Promise<void> }

/** What a test may choose about its store. */
export type TestStoreOptions = Partial<Pick<StoreOptions, 'clock' | 'log' | 'durability' | 'databaseClock'>>

/** A test that brings a clock moves the database's time with it. */
const common = (options: TestStoreOptions) => {
  const databaseClock = options.clock ? 'given' : 'server'
  return { log: silentLog, clock: systemClock, durability: 'off', databaseClock, ...options } as const
}

function sqliteDatabase(options: TestStoreOptions): TestDatabase {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  const folder = mkdtempSync(join(parent, 'holdfast-test-'))
  return {
    options: { ...common(options), url: `sqlite:${join(folder, 'holdfast.db')}` },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The address of the run's PostgreSQL. */
export function postgresUrl(): string {
  const url = inject('postgresUrl')
  if (!url) throw new Error('This test needs PostgreSQL, which test/support/global-setup.ts starts.')
  return url
}

async function onPostgres(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl() })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function postgresDatabase(options: TestStoreOptions): Promise<TestDatabase> {
  const schema = `test_${randomIds.hex(12)}`
  await onPostgres(`create schema ${schema}`)
  return {
    options: { ...common(options), url: postgresUrl(), schema },
    remove: () => onPostgres(`drop schema ${schema} cascade`),
  }
}

/** An empty database, without tables. */
export const emptyDatabase = async (engine: Engine, options: TestStoreOptions = {}): Promise<TestDatabase> =>
  engine === 'sqlite' ? sqliteDatabase(options) : await postgresDatabase(options)

/** A store of a test, and other stores on the same data. */
export type TestStore = {
  readonly store: Store
  readonly db: Db
  /** Opens the same data once more, as another process would. */
  openAnother(options?: TestStoreOptions): Promise<Store>
  /** Closes the store and everything opened beside it, and removes the data. Happens by itself at the test's end. */
  close(): Promise<void>
}

/** A migrated store. Opened in a hook it must be closed by hand; opened in a test it closes by itself. */
export async function testStore(engine: Engine = 'sqlite', options: TestStoreOptions = {}): Promise<TestStore> {
  const database = await emptyDatabase(engine, options)
  const store = await openStore(database.options)
  const opened = [store]
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= Promise.all(opened.map((one) => one.close())).then(() => database.remove())
    return closing
  }
  if (TestRunner.getCurrentTest()) onTestFinished(close)
  await migrate(store)
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
