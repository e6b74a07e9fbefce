import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** The auth methods whose tokens may act as a team; until now there was one. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('teams')
    .addColumn('allowed_login_methods', types.text, (column) => column.notNull().defaultTo('[]'))
    .execute()
  await sql`update teams set allowed_login_methods = '["cert"]' where allow_certificate_login = 1`.execute(db)
}
