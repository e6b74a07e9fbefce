import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Finds workspaces by any three characters of their name. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('unindexed_names')
    .addColumn('number', types.integer, (column) => column.primaryKey().notNull())
    .execute()
  const isSqlite = sql`${types.bytes}`.compile(db).sql === 'blob'
  for (const statement of isSqlite ? sqliteStatements : []) await sql.raw(statement).execute(db)
  if (!isSqlite) await indexWhereAllowed(db)
}

/**
 * A write to the full-text table costs more than all other writes of a new workspace. So names wait for it, 250 at a time,
 * and whoever searches looks at those that wait, too. Entries of names that are gone stay in it until the next restore.
 */
const sqliteStatements = [
  `create virtual table workspace_names using fts5(
    name_key, content = '', columnsize = 0, detail = none, tokenize = 'trigram')`,
  'insert into workspace_names (rowid, name_key) select rowid, name_key from workspaces order by rowid',
  `create trigger workspaces_inserted after insert on workspaces begin
    insert or ignore into unindexed_names (number) values (new.rowid);
  end`,
  `create trigger workspaces_renamed after update of name_key on workspaces begin
    insert or ignore into unindexed_names (number) values (new.rowid);
  end`,
  `create trigger names_indexed after insert on unindexed_names
    when (select count(*) from unindexed_names) >= 250 begin
    insert into workspace_names (rowid, name_key)
      select rowid, name_key from workspaces where rowid in (select number from unindexed_names) order by rowid;
    delete from unindexed_names;
  end`,
]

/**
 * The extension belongs to the whole database. Its owner decides about it, some providers do, too, and whoever is refused
 * does without.
 */
async function indexWhereAllowed(db: Kysely<unknown>): Promise<void> {
  await sql`do $$ begin
    create extension if not exists pg_trgm with schema public;
  exception when others then null;
  end $$`.execute(db)
  const { rows } = await sql<{ schema: string }>`select n.nspname as schema
    from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = 'pg_trgm'`.execute(db)
  const [found] = rows
  if (!found) return
  const operators = sql.id(found.schema, 'gin_trgm_ops')
  await sql`create index workspaces_name_parts on workspaces using gin (name_key ${operators})`.execute(db)
}
