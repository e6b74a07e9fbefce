import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Whether an organization lets the server execute its runs. Nothing moves to the server by an upgrade. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('organizations')
    .addColumn('remote_execution_enabled', types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
}
