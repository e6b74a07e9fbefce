import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Whether somebody chose the version of a workspace; of those from before nobody knows, so they keep theirs. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('workspaces')
    .addColumn('tool_version_is_set', types.integer, (column) => column.notNull().defaultTo(1))
    .execute()
}
