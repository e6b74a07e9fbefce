import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** The roles of the auth methods that are found by name, or by one other text. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('login_roles')
    .addColumn('id', types.text, (column) => column.primaryKey().notNull())
    .addColumn('mount_id', types.text, (column) => column.notNull())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('lookup', types.text)
    .addColumn('settings', types.text, (column) => column.notNull())
    .addColumn('version', types.integer, (column) => column.notNull())
    .addColumn('updated_at', types.integer, (column) => column.notNull())
    .addUniqueConstraint('login_roles_name', ['mount_id', 'name'])
    .addUniqueConstraint('login_roles_lookup', ['mount_id', 'lookup'])
    .execute()
}
