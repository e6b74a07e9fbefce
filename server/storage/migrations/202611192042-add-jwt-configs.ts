import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Where the keys of JWT logins come from, and the tokens that may not come twice. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('jwt_configs')
    .addColumn('mount_id', types.text, (column) => column.primaryKey().notNull())
    .addColumn('settings', types.text, (column) => column.notNull())
    .addColumn('client_secret', types.bytes)
    .addColumn('version', types.integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('jwt_used_ids')
    .addColumn('mount_id', types.text, (column) => column.notNull())
    .addColumn('hash', types.text, (column) => column.notNull())
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('jwt_used_ids_key', ['mount_id', 'hash'])
    .execute()
  await sql`create index jwt_used_ids_expiry on jwt_used_ids (expires_at)`.execute(db)
}
