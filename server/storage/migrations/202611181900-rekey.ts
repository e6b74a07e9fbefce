import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** New key shares in the making, and the way of a new root key to the other processes. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('rekey')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('keyring_id', types.text, (column) => column.notNull())
    .addColumn('nonce', types.text, (column) => column.notNull())
    .addColumn('shares', types.integer, (column) => column.notNull())
    .addColumn('threshold', types.integer, (column) => column.notNull())
    .addColumn('pgp_keys', types.text, (column) => column.notNull())
    .addColumn('needs_verification', types.integer, (column) => column.notNull())
    .addColumn('given', types.bytes, (column) => column.notNull())
    .addColumn('given_count', types.integer, (column) => column.notNull())
    .addColumn('next_root_key', types.bytes)
    .addColumn('verification_nonce', types.text, (column) => column.notNull())
    .addColumn('revision', types.integer, (column) => column.notNull())
    .addColumn('started_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('root_key_handover')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('keyring_id', types.text, (column) => column.notNull())
    .addColumn('wrapped', types.bytes, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .execute()
}
