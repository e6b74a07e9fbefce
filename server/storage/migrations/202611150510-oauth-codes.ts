import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Codes that browsers carry back to command lines. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('oauth_codes')
    .ifNotExists()
    .addColumn('hash', types.text, (column) => column.primaryKey())
    .addColumn('user_id', types.text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('username', types.text, (column) => column.notNull())
    .addColumn('challenge', types.text, (column) => column.notNull())
    .addColumn('redirect_uri', types.text, (column) => column.notNull())
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .execute()
  const byAge = db.schema.createIndex('oauth_codes_expiry').ifNotExists().on('oauth_codes')
  await byAge.column('expires_at').execute()
}
