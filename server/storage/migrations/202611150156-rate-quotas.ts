import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Limits on requests below a path. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('rate_quotas')
    .ifNotExists()
    .addColumn('name', types.text, (column) => column.primaryKey())
    .addColumn('path', types.text, (column) => column.notNull().unique())
    .addColumn('rate', types.real, (column) => column.notNull())
    .addColumn('interval_seconds', types.integer, (column) => column.notNull())
    .addColumn('block_seconds', types.integer, (column) => column.notNull())
    .execute()
}
