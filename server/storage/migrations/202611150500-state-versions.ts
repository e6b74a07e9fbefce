import type { CreateTableBuilder, Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** State versions of workspaces, and the outputs found in them. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createVersions(db, types)
  await createOutputs(db, types)
}

async function createVersions(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const texts = ['organization_id', 'md5', 'status', 'created_by_kind', 'created_by_id', 'created_by_name']
  const maybeTexts = ['lineage', 'run_id', 'blob_id', 'json_blob_id', 'tool_version']
  const numbers = ['ordinal', 'serial', 'intermediate', 'lock_generation', 'created_at', 'size', 'json_size']
  const moreNumbers = ['encrypted', 'resource_count', 'resource_count_known']
  let table: CreateTableBuilder<string, string> = db.schema
    .createTable('state_versions')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('workspace_id', types.text, (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
  for (const name of texts) table = table.addColumn(name, types.text, (column) => column.notNull())
  for (const name of maybeTexts) table = table.addColumn(name, types.text)
  for (const name of [...numbers, ...moreNumbers])
    table = table.addColumn(name, types.integer, (column) => column.notNull())
  for (const name of ['format', 'soft_deleted_at']) table = table.addColumn(name, types.integer)
  for (const name of ['summary', 'announced_outputs']) table = table.addColumn(name, types.bytes)
  await table.addUniqueConstraint('state_versions_ordinal', ['workspace_id', 'ordinal']).execute()
  const byStatus = db.schema.createIndex('state_versions_status').ifNotExists().on('state_versions')
  await byStatus.columns(['workspace_id', 'status', 'ordinal']).execute()
  const byDeletion = db.schema.createIndex('state_versions_soft_deleted').ifNotExists().on('state_versions')
  await byDeletion.columns(['status', 'soft_deleted_at']).execute()
}

async function createOutputs(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('state_version_outputs')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('state_version_id', types.text, (column) =>
      column.notNull().references('state_versions.id').onDelete('cascade'),
    )
    .addColumn('position', types.integer, (column) => column.notNull())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('sensitive', types.integer, (column) => column.notNull())
    .addColumn('type', types.text, (column) => column.notNull())
    .addColumn('detailed_type', types.text)
    .addColumn('value', types.bytes, (column) => column.notNull())
    .addUniqueConstraint('state_version_outputs_position', ['state_version_id', 'position'])
    .execute()
}
