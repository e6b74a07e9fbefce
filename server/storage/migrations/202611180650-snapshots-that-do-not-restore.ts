import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Whether a stored snapshot was proved not to restore; an error alone may mean that nobody could look. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('snapshot_attempts')
    .addColumn('verify_failed', types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
}
