import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Who shares the store, and when each of them last gave a sign of life. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('nodes')
    .addColumn('holder', types.text, (column) => column.primaryKey().notNull())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('address', types.text, (column) => column.notNull())
    .addColumn('base_url', types.text, (column) => column.notNull())
    .addColumn('version', types.text, (column) => column.notNull())
    .addColumn('compat_version', types.text, (column) => column.notNull())
    .addColumn('clock_skew_ms', types.integer, (column) => column.notNull())
    .addColumn('started_at', types.integer, (column) => column.notNull())
    .addColumn('seen_at', types.integer, (column) => column.notNull())
    .addColumn('stopped_at', types.integer)
    .execute()
}
