import type { Kysely } from 'kysely'

/** Finds the versions that refer to a file: asked for every file that is deleted, and daily for every one there is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['blob_id', 'json_blob_id']) {
    await db.schema
      .createIndex(`state_versions_${column}`)
      .ifNotExists()
      .on('state_versions')
      .columns(['workspace_id', column])
      .where(column as never, 'is not', null)
      .execute()
  }
}
