import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Versions of configurations, and which one a workspace has now. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('configuration_versions')
    .addColumn('id', types.text, (column) => column.primaryKey().notNull())
    .addColumn('workspace_id', types.text, (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
    .addColumn('organization_id', types.text, (column) => column.notNull())
    .addColumn('ordinal', types.integer, (column) => column.notNull())
    .addColumn('status', types.text, (column) => column.notNull())
    .addColumn('auto_queue_runs', types.integer, (column) => column.notNull())
    .addColumn('speculative', types.integer, (column) => column.notNull())
    .addColumn('provisional', types.integer, (column) => column.notNull())
    .addColumn('source', types.text, (column) => column.notNull())
    .addColumn('error', types.text)
    .addColumn('error_message', types.text)
    .addColumn('size', types.integer)
    .addColumn('sha256', types.text)
    .addColumn('file_count', types.integer)
    .addColumn('blob_id', types.text)
    .addColumn('created_by_kind', types.text, (column) => column.notNull())
    .addColumn('created_by_id', types.text, (column) => column.notNull())
    .addColumn('created_by_name', types.text, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('status_timestamps', types.text, (column) => column.notNull())
    .addUniqueConstraint('configuration_versions_ordinal', ['workspace_id', 'ordinal'])
    .execute()
  await db.schema.alterTable('workspaces').addColumn('current_configuration_version_id', types.text).execute()
}
