import { readdirSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { type Failure, failure } from '../kernel/failure.ts'
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
export type Migration = {
  readonly name: string
  /** Set for a baseline: a database that has run all of these counts as having run it. */
  readonly replaces?: Replaced
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>
}

/** The migrations that a baseline stands for, and the last version of the program that knew them. */
export type Replaced = { readonly migrations: readonly string[]; readonly lastVersion: string }

/** Milliseconds one migration may take, waiting for another node's included. */
const migrationDeadline = 600_000

const folder = new URL('./migrations/', import.meta.url)

/** The migrations of this program, oldest first: one file each, `YYYYMMDDhhmm-name`. */
export async function loadMigrations(): Promise<Migration[]> {
  const files = readdirSync(folder).filter((file) => /^\d{12}-[a-z0-9-]+\.[jt]s$/.test(file))
  return await Promise.all(
    files.sort().map(async (file) => {
      const { up, replaces } = (await import(new URL(file, folder).href)) as Omit<Migration, 'name'>
      return { name: file.replace(/\.[jt]s$/, ''), up, replaces }
    }),
  )
}

/** The migrations of a database or an archive by their present names, or why this program cannot go on from there. */
export type History =
  | { readonly applied: ReadonlySet<string> }
  /** One that this program does not know. */
  | { readonly unknown: string }
  /** One that the others need before the baseline can take their place. */
  | { readonly missing: string; readonly lastVersion: string }

/** What these names mean to a program with these migrations. */
export function readHistory(names: Iterable<string>, known: readonly Migration[]): History {
  const applied = new Set(names)
  for (const { name, replaces } of known) {
    if (!replaces?.migrations.some((replaced) => applied.has(replaced))) continue
    const missing = replaces.migrations.find((replaced) => !applied.has(replaced))
    if (missing !== undefined) return { missing, lastVersion: replaces.lastVersion }
    for (const replaced of replaces.migrations) applied.delete(replaced)
    applied.add(name)
  }
  const unknown = [...applied].sort().find((name) => !known.some((migration) => migration.name === name))
  return unknown === undefined ? { applied } : { unknown }
}

/**
 * Brings the database to the present version; refuses one that is newer than this program, or too old for it. Safe to
 * call from several processes at once: each migration runs in a transaction of its own, once. Returns the migrations that
 * an older database has needed, and none for a new one.
 */
export async function migrate(store: Store, migrations?: readonly Migration[]): Promise<readonly string[]> {
  const known = migrations ?? (await loadMigrations())
  const { names, present } = await withMigrationLock(store, async (tx) => {
    const columns = sql`name text not null primary key, applied_at bigint not null`
    await sql`create table if not exists migrations (${columns})`.execute(tx)
    const names = await appliedNames(tx)
    const present = requireKnown(names, known)
    await noteBaselines(tx, names, present)
    return { names, present }
  })
  const run = [...present.difference(names)]
  for (const migration of known) {
    if (!present.has(migration.name) && (await apply(store, migration))) run.push(migration.name)
  }
  return names.size === 0 ? [] : run
}

/** Notes baselines in the place of what they replace. */
async function noteBaselines(tx: Tx, names: ReadonlySet<string>, present: ReadonlySet<string>): Promise<void> {
  for (const name of present.difference(names))
    await sql`insert into migrations (name, applied_at) select ${name}, max(applied_at) from migrations`.execute(tx)
  for (const name of names.difference(present)) await sql`delete from migrations where name = ${name}`.execute(tx)
}

const withMigrationLock = <T>(store: Store, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inTransaction(
    store.db,
    async (tx) => {
      await lockMigrations(store.engine, tx)
      return await work(tx)
    },
    { deadline: migrationDeadline },
  )

/** Refuses a database as `migrate` would, and changes nothing. One without tables fails as a query does. */
export async function refuseUnknownDatabase({ db }: Pick<Store, 'db'>): Promise<void> {
  requireKnown(await appliedNames(db), await loadMigrations())
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

function requireKnown(names: ReadonlySet<string>, known: readonly Migration[]): ReadonlySet<string> {
  const history = readHistory(names, known)
  if ('applied' in history) return history.applied
  if ('unknown' in history) throw newerDatabase(history.unknown)
  throw olderDatabase(history.missing, history.lastVersion)
}

const newerDatabase = (migration: string): Failure =>
  failure(
    'conflict',
    'storage.newer-database',
    `The database was written by a newer version of Holdfast: it holds the migration '${migration}', which this ` +
      'version does not know. Start the newer version, or restore a snapshot taken before the upgrade.',
  )

const olderDatabase = (migration: string, lastVersion: string): Failure =>
  failure(
    'conflict',
    'storage.older-database',
    `The database is too old for this version of Holdfast: it lacks the migration '${migration}'. ` +
      `Start ${lastVersion} on it once, then this version.`,
  )
