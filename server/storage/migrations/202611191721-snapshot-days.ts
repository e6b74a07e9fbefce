import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** What is kept of attempts that are no longer remembered one by one: a row a day. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('snapshot_days')
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('day', types.integer, (column) => column.notNull())
    .addColumn('attempts', types.integer, (column) => column.notNull())
    .addColumn('failed', types.integer, (column) => column.notNull())
    .addColumn('proved', types.integer, (column) => column.notNull())
    .addColumn('disproved', types.integer, (column) => column.notNull())
    .addColumn('size', types.integer, (column) => column.notNull())
    .addColumn('duration_ms', types.integer, (column) => column.notNull())
    .addColumn('proof_ms', types.integer, (column) => column.notNull())
    .addColumn('error', types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('snapshot_days_key', ['name', 'day'])
    .execute()
}
