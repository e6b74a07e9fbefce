import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Whether a person is kept out by an administrator. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('suspended', types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
}
