import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Where entities went that were merged into others: their tokens go on as the other's. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('entity_merges')
    .ifNotExists()
    .addColumn('merged_id', types.text, (column) => column.primaryKey())
    .addColumn('entity_id', types.text, (column) => column.notNull().references('entities.id').onDelete('cascade'))
    .execute()
  await db.schema.createIndex('entity_merges_by_entity').ifNotExists().on('entity_merges').column('entity_id').execute()
}
