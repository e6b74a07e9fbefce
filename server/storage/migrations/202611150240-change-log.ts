import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Who changed what, with what was before and after. It outlives what it tells about, so nothing is referenced. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('change_log')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('position', types.integer, (column) => column.notNull())
    .addColumn('organization_id', types.text, (column) => column.notNull())
    .addColumn('workspace_id', types.text, (column) => column.notNull())
    .addColumn('subject_type', types.text, (column) => column.notNull())
    .addColumn('subject_id', types.text, (column) => column.notNull())
    .addColumn('subject_name', types.text, (column) => column.notNull())
    .addColumn('action', types.text, (column) => column.notNull())
    .addColumn('actor_kind', types.text, (column) => column.notNull())
    .addColumn('actor_id', types.text, (column) => column.notNull())
    .addColumn('actor_name', types.text, (column) => column.notNull())
    .addColumn('token_id', types.text, (column) => column.notNull())
    .addColumn('request_id', types.text, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('before', types.text)
    .addColumn('after', types.text)
    .execute()
  const byOrganization = db.schema.createIndex('change_log_organization').ifNotExists()
  await byOrganization.on('change_log').columns(['organization_id', 'position', 'id']).execute()
  const byWorkspace = db.schema.createIndex('change_log_workspace').ifNotExists()
  await byWorkspace.on('change_log').columns(['workspace_id', 'position', 'id']).execute()
}
