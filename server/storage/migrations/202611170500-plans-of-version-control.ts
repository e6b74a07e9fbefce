import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** What clients set about plans that start from version control. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const columns = [
    ['speculative_plan_management_enabled', 1],
    ['aggregated_commit_status_enabled', 1],
    ['send_passing_statuses', 0],
  ] as const
  for (const [name, first] of columns) {
    await db.schema
      .alterTable('organizations')
      .addColumn(name, types.integer, (column) => column.notNull().defaultTo(first))
      .execute()
  }
}
