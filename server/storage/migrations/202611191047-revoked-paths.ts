import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Paths whose tokens are revoked, while they are being removed. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('revoked_paths')
    .addColumn('path', types.text, (column) => column.primaryKey().notNull())
    .addColumn('until', types.integer, (column) => column.notNull())
    .execute()
}
