import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** What a team may do with the variable sets of a project; each level has its own, as in the rules of access. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('team_project_access')
    .addColumn('project_variable_sets', types.text, (column) => column.notNull().defaultTo('none'))
    .execute()
  await sql`UPDATE team_project_access SET project_variable_sets = 'read' WHERE access IN ('read', 'write')`.execute(db)
  await sql`UPDATE team_project_access SET project_variable_sets = 'write' WHERE access IN ('maintain', 'admin')`.execute(
    db,
  )
}
