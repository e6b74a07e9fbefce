import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Whether a person may be signed in by a client certificate. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('allow_certificate_login', types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
}
