import { type Kysely, sql } from 'kysely'

/**
 * Tokens are declared dead before they are removed, in batches that each look for the next ones. So these indexes leave
 * out, or file elsewhere, those that are declared dead already: otherwise every batch would pass by all before it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(name).ifNotExists().on('tokens').columns(columns)
  await index('tokens_ending', ['expires_at']).where(sql<boolean>`revoked = 0`).execute()
  await index('tokens_leased', ['path', 'created_at'])
    .where(sql<boolean>`revoked = 0 and expires_at is not null`)
    .execute()
  await index('tokens_children', ['parent_id', 'revoked']).where(sql<boolean>`parent_id <> ''`).execute()
  await index('tokens_dead', ['created_at']).where(sql<boolean>`revoked = 1`).execute()
  for (const name of ['tokens_expires_at', 'tokens_path', 'tokens_parent_id', 'tokens_revoked']) {
    await db.schema.dropIndex(name).ifExists().execute()
  }
}
