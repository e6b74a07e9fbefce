import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, inject, onTestFinished } from 'vitest'
import { systemClock } from '../../server/kernel/clock.ts'
import { randomIds } from '../../server/kernel/ids.ts'
import { silentLog } from '../../server/kernel/log.ts'
import { migrate } from '../../server/storage/migrate.ts'
import { openStore, type Store, type StoreOptions } from '../../server/storage/open.ts'

/** The engines a store test runs on. */
export type TestEngine = 'sqlite' | 'postgres'

/** The engines of this run: `HOLDFAST_TEST_ENGINES`, both unless told. */
export const testEngines = (process.env.HOLDFAST_TEST_ENGINES ?? 'sqlite,postgres')
  .split(',')
  .filter((name): name is TestEngine => name === 'sqlite' || name === 'postgres')

/** Runs a group of tests once on each engine. */
export function eachEngine(body: (engine: TestEngine) => void): void {
  for (const engine of testEngines) describe(engine, () => body(engine))
}

/** A place for a database that goes away with the test. */
export type TestDatabase = { options: StoreOptions; remove(): Promise<void> }

/** What a test may choose about its store. */
export type TestStoreOptions = Partial<Pick<StoreOptions, 'clock' | 'log' | 'durability' | 'databaseClock'>>

const common = (options: TestStoreOptions) =>
  ({ log: silentLog, clock: systemClock, durability: 'off', ...options }) as const

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
export const emptyDatabase = async (engine: TestEngine, options: TestStoreOptions = {}): Promise<TestDatabase> =>
  engine === 'sqlite' ? sqliteDatabase(options) : await postgresDatabase(options)

/** A store of a test, and other stores on the same data. */
export type TestStore = Store & {
  /** Opens the same data once more, as another process would. */
  openAnother(options?: TestStoreOptions): Promise<Store>
  /** Closes the store and everything opened beside it, and removes the data. */
  remove(): Promise<void>
}

/** A migrated store that the caller removes; for `beforeAll`. */
export async function openTestStore(engine: TestEngine, options: TestStoreOptions = {}): Promise<TestStore> {
  const database = await emptyDatabase(engine, options)
  const store = await openStore(database.options)
  const opened = [store]
  await migrate(store)
  return {
    ...store,
    openAnother: async (other = {}) => {
      const another = await openStore({ ...database.options, ...other })
      opened.push(another)
      return another
    },
    remove: async () => {
      for (const one of opened) await one.close()
      await database.remove()
    },
  }
}

/** A migrated store that is removed when the test ends. */
export async function testStore(engine: TestEngine = 'sqlite', options: TestStoreOptions = {}): Promise<TestStore> {
  const store = await openTestStore(engine, options)
  onTestFinished(() => store.remove())
  return store
}
