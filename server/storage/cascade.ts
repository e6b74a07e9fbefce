import { type RawBuilder, sql } from 'kysely'
import { inSteps } from './batches.ts'
import type { Queryable } from './database.ts'
import { perStore, runnerOf } from './engine.ts'

/** A column whose rows a foreign key removes together with the row that they refer to. */
type Dependency = { readonly table: string; readonly column: string; readonly parent: string; readonly key: string }

const sqliteDependencies = sql<Dependency>`
  select t.name as "table", min(k."from") as "column", k."table" as parent, min(k."to") as key
  from sqlite_schema t, pragma_foreign_key_list(t.name) k
  where t.type = 'table' and k.on_delete = 'CASCADE'
  group by t.name, k.id, k."table" having count(*) = 1`

const postgresDependencies = sql<Dependency>`
  select child.relname as "table", a.attname as "column", parent.relname as parent, b.attname as key
  from pg_constraint k
  join pg_class child on child.oid = k.conrelid
  join pg_class parent on parent.oid = k.confrelid
  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
  join pg_attribute b on b.attrelid = k.confrelid and b.attnum = k.confkey[1]
  where k.contype = 'f' and k.confdeltype = 'c' and cardinality(k.conkey) = 1
    and k.connamespace = current_schema()::regnamespace`

const known = perStore(() => ({ byParent: undefined as Map<string, Dependency[]> | undefined }))

async function dependenciesOf(db: Queryable, parent: string): Promise<readonly Dependency[]> {
  const found = known(db)
  if (!found.byParent) {
    const query = runnerOf(db).kind === 'sqlite' ? sqliteDependencies : postgresDependencies
    found.byParent = Map.groupBy((await query.execute(db)).rows, (each) => each.parent)
  }
  return found.byParent.get(parent) ?? []
}

/**
 * Removes up to about `limit` rows that foreign keys would remove together with these, the deepest first, and returns how
 * many. If they are fewer than `limit`, none are left, and the rows themselves can be removed without much work.
 */
export async function removeDependents(
  tx: Queryable,
  table: string,
  keys: readonly string[],
  limit: number,
): Promise<number> {
  let removed = 0
  for (const each of await dependenciesOf(tx, table)) {
    if (removed >= limit) break
    removed += await removeDependentRows(tx, each, keys, limit - removed)
  }
  return removed
}

/**
 * Removes everything that foreign keys would remove together with these rows, and lets others read in between. PostgreSQL
 * always does, so there it is left to the foreign keys.
 */
export async function removeAllDependents(
  tx: Queryable,
  table: string,
  keys: readonly string[],
  limit?: number,
): Promise<void> {
  if (runnerOf(tx).kind === 'sqlite') await inSteps(tx, (most) => removeDependents(tx, table, keys, most), limit)
}

async function removeDependentRows(
  tx: Queryable,
  { table, column }: Dependency,
  parents: readonly string[],
  limit: number,
): Promise<number> {
  const rows = sql`from ${sql.table(table)} where ${sql.ref(column)} in (${sql.join(parents)}) limit ${limit}`
  const [key] = (await dependenciesOf(tx, table)).map((each) => each.key)
  if (key === undefined) return await removeRows(tx, table, rows)
  const found = await sql<{ key: string }>`select ${sql.ref(key)} as key ${rows}`.execute(tx)
  const keys = found.rows.map((row) => row.key)
  if (keys.length === 0) return 0
  const below = await removeDependents(tx, table, keys, limit)
  if (below >= limit) return below
  await sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (${sql.join(keys)})`.execute(tx)
  return below + keys.length
}

/** Removes the rows by where they are stored, since not all of them have an id. */
async function removeRows(tx: Queryable, table: string, rows: RawBuilder<unknown>): Promise<number> {
  const chosen =
    runnerOf(tx).kind === 'sqlite' ? sql`rowid in (select rowid ${rows})` : sql`ctid = any(array(select ctid ${rows}))`
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${chosen}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
