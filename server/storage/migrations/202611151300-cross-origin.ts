import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Which pages of other origins may use `/v1`; no row while none may. Lists are JSON. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('cross_origin')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('origins', types.text, (column) => column.notNull())
    .addColumn('headers', types.text, (column) => column.notNull())
    .execute()
}
