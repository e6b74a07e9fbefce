import type { Kysely } from 'kysely'

/** Finds the few states that were put aside; the index before had a place for every state, which moved with its status. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('state_versions_put_aside')
    .ifNotExists()
    .on('state_versions')
    .column('soft_deleted_at')
    .where('soft_deleted_at' as never, 'is not', null)
    .execute()
  await db.schema.dropIndex('state_versions_soft_deleted').ifExists().execute()
}
