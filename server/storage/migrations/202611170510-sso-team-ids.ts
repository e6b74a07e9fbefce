import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** What clients say single sign-on would call a team. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable('teams').addColumn('sso_team_id', types.text).execute()
}
