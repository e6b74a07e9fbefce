import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Whether what writers of encrypted state send in clear beside it is kept. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('organizations')
    .addColumn('keep_encrypted_outputs', types.integer, (column) => column.notNull().defaultTo(1))
    .execute()
}
