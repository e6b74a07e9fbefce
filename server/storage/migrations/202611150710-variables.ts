import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Variables of workspaces; a key stands once in each category. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('variables')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('workspace_id', types.text, (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
    .addColumn('key', types.text, (column) => column.notNull())
    .addColumn('value', types.bytes, (column) => column.notNull())
    .addColumn('category', types.text, (column) => column.notNull())
    .addColumn('hcl', types.integer, (column) => column.notNull())
    .addColumn('sensitive', types.integer, (column) => column.notNull())
    .addColumn('description', types.text)
    .addColumn('version_id', types.text, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addUniqueConstraint('variables_key', ['workspace_id', 'category', 'key'])
    .execute()
}
