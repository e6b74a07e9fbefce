import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Shares are given for root tokens too, and encrypted new ones can be kept. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('rekey')
    .addColumn('keeps_backup', types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('rekey').addColumn('backup', types.bytes).execute()
  await db.schema.alterTable('rekey').addColumn('otp', types.bytes).execute()
  await db.schema
    .createTable('rekey_backup')
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('keyring_id', types.text, (column) => column.notNull())
    .addColumn('nonce', types.text, (column) => column.notNull())
    .addColumn('shares', types.bytes, (column) => column.notNull())
    .execute()
}
