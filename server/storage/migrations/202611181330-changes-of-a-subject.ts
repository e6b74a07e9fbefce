import type { Kysely } from 'kysely'

/** Finds the changes of one resource in a long change log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('change_log_subject')
    .ifNotExists()
    .on('change_log')
    .columns(['organization_id', 'subject_id', 'position', 'id'])
    .execute()
}
