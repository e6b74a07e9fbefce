import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Audit devices, and the request headers they write down. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('audit_devices')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('path', types.text, (column) => column.notNull().unique())
    .addColumn('type', types.text, (column) => column.notNull())
    .addColumn('description', types.text, (column) => column.notNull())
    .addColumn('options', types.text, (column) => column.notNull())
    .addColumn('local', types.integer, (column) => column.notNull())
    .addColumn('salt', types.bytes, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('audit_headers')
    .ifNotExists()
    .addColumn('name', types.text, (column) => column.primaryKey())
    .addColumn('hmac', types.integer, (column) => column.notNull())
    .execute()
}
