import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** How many runs of an organization are executed at once; 0 for any number. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('organizations')
    .addColumn('run_concurrency', types.integer, (column) => column.notNull().defaultTo(10))
    .execute()
}
