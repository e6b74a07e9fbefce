import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Auth methods and the paths they answer at. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('mounts')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('path', types.text, (column) => column.notNull().unique())
    .addColumn('type', types.text, (column) => column.notNull())
    .addColumn('accessor', types.text, (column) => column.notNull().unique())
    .addColumn('description', types.text, (column) => column.notNull())
    .addColumn('config', types.text, (column) => column.notNull())
    .addColumn('options', types.text)
    .addColumn('local', types.integer, (column) => column.notNull())
    .addColumn('seal_wrap', types.integer, (column) => column.notNull())
    .addColumn('tainted', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .execute()
}
