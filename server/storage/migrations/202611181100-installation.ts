import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** What tells this installation apart from every other, whatever data is restored into it. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('installation')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('uuid', types.text, (column) => column.notNull())
    .addColumn('cluster_id', types.text, (column) => column.notNull())
    .execute()
}
