import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** What is gone for everybody while its rows are being removed. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('removals')
    .addColumn('kind', types.text, (column) => column.notNull())
    .addColumn('subject_id', types.text, (column) => column.notNull())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('requested_by', types.text, (column) => column.notNull())
    .addColumn('requested_at', types.integer, (column) => column.notNull())
    .addColumn('rows_left', types.integer, (column) => column.notNull())
    .addColumn('payload', types.text, (column) => column.notNull())
    .addColumn('last_error', types.text)
    .addPrimaryKeyConstraint('removals_key', ['kind', 'subject_id'])
    .execute()
}
