import type { Kysely } from 'kysely'

/** Finds the few locks that end by themselves among all workspaces. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('workspaces_lock_expires')
    .ifNotExists()
    .on('workspaces')
    .column('lock_expires_at')
    .where('lock_expires_at' as never, 'is not', null)
    .execute()
}
