import { type RawBuilder, sql } from 'kysely'
import { tables } from '../../docs/sql/tables.ts'
import type { Db } from '../../server/storage/open.ts'

/** Stores copies of a workspace, with its flat tags, variables and states. They are called `ws-copy-1` and so on. */
export async function copyWorkspaces(db: Db, id: string, count: number): Promise<void> {
  const [copy, name] = [sql`${`${id}-copy-`} || n.i`, sql`'ws-copy-' || n.i`]
  await copyRows(db, 'workspaces', { id: copy, name, name_key: name }, { where: sql`id = ${id}`, count })
  const of = { where: sql`workspace_id = ${id}`, count }
  await copyRows(db, 'workspace_tags', { workspace_id: copy }, of)
  await copyRows(db, 'variables', { workspace_id: copy, id: sql`id || n.i` }, of)
  await copyRows(db, 'state_versions', { workspace_id: copy, id: sql`id || n.i` }, of)
  const counted = sql`update workspace_counts set workspaces = workspaces + ${count}`
  await sql`${counted} where project_id = (select project_id from workspaces where id = ${id})`.execute(db)
}

/** Stores copies of rows that differ in some columns, which may be made of the number of the copy, `n.i`. */
async function copyRows(
  db: Db,
  table: keyof typeof tables,
  changed: Readonly<Record<string, RawBuilder<unknown>>>,
  { where, count }: { readonly where: RawBuilder<unknown>; readonly count: number },
): Promise<void> {
  const names = Object.keys(tables[table])
  const columns = sql.join(names.map((name) => sql.ref(name)))
  const values = sql.join(names.map((name) => changed[name] ?? sql.ref(name)))
  const numbers = sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`
  await sql`insert into ${sql.table(table)} (${columns})
    ${numbers} select ${values} from ${sql.table(table)}, n where ${where}`.execute(db)
}
