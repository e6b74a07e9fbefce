import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** The session a code was made in: the code ends when the session goes. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('oauth_codes')
    .addColumn('session_id', types.text, (column) => column.references('sessions.id').onDelete('cascade'))
    .execute()
  await db.schema.createIndex('oauth_codes_session_id').on('oauth_codes').column('session_id').execute()
}
