import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** The user token a session began with: the session ends when the token goes. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('api_token_id', types.text, (column) => column.references('api_tokens.id').onDelete('cascade'))
    .execute()
  await db.schema.createIndex('sessions_api_token_id').on('sessions').column('api_token_id').execute()
}
