import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** For which platforms a release can be downloaded; null where only `url` and `sha` tell. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable('tool_versions').addColumn('archs', types.text).execute()
}
