import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Variable sets: which workspaces and projects have them, and their variables. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('variable_sets')
    .addColumn('id', types.text, (column) => column.primaryKey().notNull())
    .addColumn('organization_id', types.text, (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('project_id', types.text, (column) => column.references('projects.id').onDelete('cascade'))
    .addColumn('parent_id', types.text, (column) => column.notNull())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('description', types.text, (column) => column.notNull())
    .addColumn('global', types.integer, (column) => column.notNull())
    .addColumn('priority', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('updated_at', types.integer, (column) => column.notNull())
    .addUniqueConstraint('variable_sets_name', ['parent_id', 'name'])
    .execute()
  await db.schema
    .createIndex('variable_sets_by_organization')
    .on('variable_sets')
    .columns(['organization_id', 'name', 'id'])
    .execute()
  await db.schema.createIndex('variable_sets_by_project').on('variable_sets').column('project_id').execute()
  await db.schema
    .createTable('variable_set_targets')
    .addColumn('set_id', types.text, (column) => column.notNull().references('variable_sets.id').onDelete('cascade'))
    .addColumn('workspace_id', types.text, (column) => column.references('workspaces.id').onDelete('cascade'))
    .addColumn('project_id', types.text, (column) => column.references('projects.id').onDelete('cascade'))
    .addUniqueConstraint('variable_set_workspaces', ['workspace_id', 'set_id'])
    .addUniqueConstraint('variable_set_projects', ['project_id', 'set_id'])
    .execute()
  await db.schema.createIndex('variable_set_targets_by_set').on('variable_set_targets').column('set_id').execute()
  await db.schema
    .createTable('set_variables')
    .addColumn('id', types.text, (column) => column.primaryKey().notNull())
    .addColumn('set_id', types.text, (column) => column.notNull().references('variable_sets.id').onDelete('cascade'))
    .addColumn('key', types.text, (column) => column.notNull())
    .addColumn('category', types.text, (column) => column.notNull())
    .addColumn('hcl', types.integer, (column) => column.notNull())
    .addColumn('sensitive', types.integer, (column) => column.notNull())
    .addColumn('apply_only', types.integer, (column) => column.notNull())
    .addColumn('description', types.text)
    .addColumn('value', types.bytes, (column) => column.notNull())
    .addColumn('version_id', types.text, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addUniqueConstraint('set_variables_key', ['set_id', 'category', 'key'])
    .execute()
}
