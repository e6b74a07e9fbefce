import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** The secret ids of application roles, as keyed hashes. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('approle_secret_ids')
    .addColumn('hash', types.text, (column) => column.primaryKey().notNull())
    .addColumn('mount_id', types.text, (column) => column.notNull())
    .addColumn('role_id', types.text, (column) => column.notNull())
    .addColumn('accessor', types.text, (column) => column.notNull())
    .addColumn('custom', types.integer, (column) => column.notNull())
    .addColumn('num_uses', types.integer, (column) => column.notNull())
    .addColumn('uses_left', types.integer, (column) => column.notNull())
    .addColumn('ttl', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('updated_at', types.integer, (column) => column.notNull())
    .addColumn('expires_at', types.integer)
    .addColumn('terms', types.text, (column) => column.notNull())
    .addUniqueConstraint('approle_secret_ids_accessor', ['role_id', 'accessor'])
    .execute()
  await sql`create index approle_secret_ids_mount on approle_secret_ids (mount_id)`.execute(db)
  await sql`create index approle_secret_ids_expiry on approle_secret_ids (expires_at) where expires_at is not null`.execute(
    db,
  )
  await sql`create index approle_secret_ids_custom on approle_secret_ids (role_id) where custom = 1`.execute(db)
}
