import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Which tokens came back through the last restore although they had been revoked or had ended. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('restored_tokens')
    .ifNotExists()
    .addColumn('kind', types.text, (column) => column.notNull())
    .addColumn('id', types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('restored_tokens_key', ['kind', 'id'])
    .execute()
}
