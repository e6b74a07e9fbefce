import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** SSH keys of organizations. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('ssh_keys')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('organization_id', types.text, (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('value', types.bytes, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('ssh_keys_organization')
    .ifNotExists()
    .on('ssh_keys')
    .columns(['organization_id', 'name'])
    .execute()
}
