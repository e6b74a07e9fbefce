import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** What connects to a provider that signs requests instead of taking a token; the secret is sealed. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const change = () => db.schema.alterTable('oauth_clients')
  await change().addColumn('consumer_key', types.text).execute()
  await change().addColumn('rsa_public_key', types.text).execute()
  await change().addColumn('secret', types.bytes).execute()
}
