import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Whom to ask about a workspace. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable('workspaces').addColumn('contact', types.text).execute()
}
