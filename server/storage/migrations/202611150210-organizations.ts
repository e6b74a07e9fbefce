import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Organizations, their default retention policies, their projects. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createOrganizations(db, types)
  await createRetentionPolicies(db, types)
  await createProjects(db, types)
}

async function createOrganizations(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('organizations')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('name_key', types.text, (column) => column.notNull().unique())
    .addColumn('email', types.text, (column) => column.notNull())
    .addColumn('default_project_id', types.text, (column) => column.notNull())
    .addColumn('collaborator_auth_policy', types.text, (column) => column.notNull())
    .addColumn('default_execution_mode', types.text, (column) => column.notNull())
    .addColumn('default_agent_pool_id', types.text)
    .addColumn('default_tool', types.text, (column) => column.notNull())
    .addColumn('tier', types.text, (column) => column.notNull())
    .addColumn('allow_force_delete_workspaces', types.integer, (column) => column.notNull())
    .addColumn('assessments_enforced', types.integer, (column) => column.notNull())
    .addColumn('default_global_remote_state', types.integer, (column) => column.notNull())
    .addColumn('inherit_settings_by_default', types.integer, (column) => column.notNull())
    .addColumn('user_tokens_enabled', types.integer, (column) => column.notNull())
    .addColumn('cost_estimation_enabled', types.integer, (column) => column.notNull())
    .addColumn('session_timeout', types.integer)
    .addColumn('session_remember', types.integer)
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('updated_at', types.integer, (column) => column.notNull())
    .execute()
}

async function createRetentionPolicies(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('data_retention_policies')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('organization_id', types.text, (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('target_id', types.text, (column) => column.notNull().unique())
    .addColumn('kind', types.text, (column) => column.notNull())
    .addColumn('days', types.integer)
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('data_retention_policies_organization')
    .ifNotExists()
    .on('data_retention_policies')
    .column('organization_id')
    .execute()
}

async function createProjects(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('projects')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('organization_id', types.text, (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('description', types.text, (column) => column.notNull())
    .addColumn('auto_destroy_activity_duration', types.text)
    .addColumn('default_execution_mode', types.text, (column) => column.notNull())
    .addColumn('default_agent_pool_id', types.text)
    .addColumn('overwrites_execution_mode', types.integer, (column) => column.notNull())
    .addColumn('overwrites_agent_pool', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('updated_at', types.integer, (column) => column.notNull())
    .addUniqueConstraint('projects_name', ['organization_id', 'name'])
    .execute()
}
