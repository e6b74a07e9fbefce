import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Whether custom access of a team allows it to override policies. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  for (const table of ['team_workspace_access', 'team_project_access'])
    await db.schema
      .alterTable(table)
      .addColumn('policy_overrides', types.integer, (column) => column.notNull().defaultTo(0))
      .execute()
}
