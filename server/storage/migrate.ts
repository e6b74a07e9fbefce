import { readdirSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { failure } from '../kernel/failure.ts'
import type { Tx } from './database.ts'
import { type ColumnTypes, columnTypesOf, lockMigrations, migrationHandle } from './dialect.ts'
import type { Db, Store } from './open.ts'
import { inTransaction } from './transaction.ts'

export type { ColumnTypes } from './dialect.ts'

/** A migration that was run. */
interface MigrationRow {
  name: string
  applied_at: number
}

declare module './tables.ts' {
  interface DescribedTables {
    migrations: MigrationRow
  }
}

/** One step forward of the database. */
export type Migration = { name: string; up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> }

/** Milliseconds one migration may take, waiting for another node's included. */
const migrationDeadline = 600_000

const folder = new URL('./migrations/', import.meta.url)

/** The migrations of this program, oldest first: one file each, `YYYYMMDDhhmm-name`. */
export async function loadMigrations(): Promise<Migration[]> {
  const files = readdirSync(folder).filter((file) => /^\d{12}-[a-z0-9-]+\.[jt]s$/.test(file))
  return await Promise.all(
    files.sort().map(async (file) => {
      const { up } = (await import(new URL(file, folder).href)) as Pick<Migration, 'up'>
      return { name: file.replace(/\.[jt]s$/, ''), up }
    }),
  )
}

/**
 * Brings the database to the present version; refuses one that is newer than this program. Safe to call from several
 * processes at once: each migration runs in a transaction of its own, once. Returns the migrations that an older database
 * has needed, and none for a new one.
 */
export async function migrate(store: Store, migrations?: readonly Migration[]): Promise<readonly string[]> {
  const known = migrations ?? (await loadMigrations())
  const applied = await withMigrationLock(store, async (tx) => {
    const columns = sql`name text not null primary key, applied_at bigint not null`
    await sql`create table if not exists migrations (${columns})`.execute(tx)
    return await appliedNames(tx)
  })
  refuseNewer(applied, known)
  const run: string[] = []
  for (const migration of known) {
    if (!applied.has(migration.name) && (await apply(store, migration))) run.push(migration.name)
  }
  return applied.size === 0 ? [] : run
}

const withMigrationLock = <T>(store: Store, body: (tx: Tx) => Promise<T>): Promise<T> =>
  inTransaction(
    store.db,
    async (tx) => {
      await lockMigrations(store.engine, tx)
      return await body(tx)
    },
    { deadline: migrationDeadline },
  )

/** Refuses a database that is newer than this program, and changes nothing. One without tables fails as a query does. */
export async function refuseNewerDatabase({ db }: Pick<Store, 'db'>): Promise<void> {
  refuseNewer(await appliedNames(db), await loadMigrations())
}

async function appliedNames(db: Db | Tx): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db)
  return new Set(rows.map((row) => row.name))
}

/** True if the migration was run; another process may have been faster. */
async function apply(store: Store, migration: Migration): Promise<boolean> {
  const now = await store.databaseNow()
  return await withMigrationLock(store, async (tx) => {
    if ((await appliedNames(tx)).has(migration.name)) return false
    await migration.up(migrationHandle(store.engine, tx), columnTypesOf(store.engine))
    await sql`insert into migrations (name, applied_at) values (${migration.name}, ${now})`.execute(tx)
    return true
  })
}

function refuseNewer(applied: ReadonlySet<string>, known: readonly Migration[]): void {
  const names = new Set(known.map((migration) => migration.name))
  const unknown = [...applied].filter((name) => !names.has(name)).sort()
  if (unknown.length === 0) return
  const text =
    `The database was written by a newer version of Holdfast: it holds the migration '${unknown[0]}', which this ` +
    'version does not know. Start the newer version, or restore a snapshot taken before the upgrade.'
  throw failure('conflict', 'storage.newer-database', text)
}
