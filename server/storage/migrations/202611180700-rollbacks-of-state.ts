import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Which version a version was copied from, if it was made by a rollback. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable('state_versions').addColumn('rolled_back_to', types.text).execute()
}
