import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** SSH keys that go with the tokens of version control providers. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('oauth_ssh_keys')
    .ifNotExists()
    .addColumn('oauth_token_id', types.text, (column) =>
      column.primaryKey().references('oauth_tokens.id').onDelete('cascade'),
    )
    .addColumn('value', types.bytes, (column) => column.notNull())
    .execute()
}
