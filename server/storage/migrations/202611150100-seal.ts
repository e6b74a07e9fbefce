import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** The wrapped keys of the store. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('seal')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('wrapped', types.bytes, (column) => column.notNull())
    .addColumn('revision', types.integer, (column) => column.notNull())
    .addColumn('type', types.text, (column) => column.notNull())
    .addColumn('shares', types.integer, (column) => column.notNull())
    .addColumn('threshold', types.integer, (column) => column.notNull())
    .addColumn('recovery', types.bytes)
    .addColumn('cluster_id', types.text, (column) => column.notNull())
    .addColumn('cluster_name', types.text, (column) => column.notNull())
    .addColumn('initialised_at', types.integer, (column) => column.notNull())
    .execute()
}
