import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Entities, and the names they log in with. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('entities')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('name_key', types.text, (column) => column.notNull().unique())
    .addColumn('metadata', types.text, (column) => column.notNull())
    .addColumn('policies', types.text, (column) => column.notNull())
    .addColumn('disabled', types.integer, (column) => column.notNull())
    .addColumn('merged_ids', types.text, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('updated_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('entity_aliases')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('entity_id', types.text, (column) => column.notNull().references('entities.id').onDelete('cascade'))
    .addColumn('mount_accessor', types.text, (column) => column.notNull())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('name_key', types.text, (column) => column.notNull())
    .addColumn('metadata', types.text, (column) => column.notNull())
    .addColumn('custom_metadata', types.text, (column) => column.notNull())
    .addColumn('merged_from_ids', types.text, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('updated_at', types.integer, (column) => column.notNull())
    .addUniqueConstraint('entity_aliases_name', ['mount_accessor', 'name_key'])
    .addUniqueConstraint('entity_aliases_one_per_mount', ['entity_id', 'mount_accessor'])
    .execute()
}
