import type { Kysely } from 'kysely'

/** The index of the few locks that end by themselves is enough; the other had a place for every workspace. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('workspaces_lock_expiry').ifExists().execute()
}
