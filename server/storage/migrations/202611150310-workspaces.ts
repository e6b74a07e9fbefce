import type { CreateTableBuilder, Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Workspaces, how many there are, the names they had, and the releases of tools they can ask for. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createWorkspaces(db, types)
  await indexWorkspaces(db)
  await createCounts(db, types)
  await createFormerNames(db, types)
  await createToolVersions(db, types)
}

async function createWorkspaces(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const texts = ['name', 'name_key', 'execution_mode', 'trigger_prefixes', 'trigger_patterns', 'tool_version']
  const moreTexts = ['source', 'vcs_branch', 'tag_names', 'locked_reason']
  const maybeTexts = ['description', 'agent_pool_id', 'auto_destroy_status', 'auto_destroy_activity_duration']
  const moreMaybeTexts = ['working_directory', 'source_name', 'source_url', 'vcs_identifier', 'vcs_oauth_token_id']
  const lastMaybeTexts = ['vcs_installation_id', 'vcs_tags_regex', 'vcs_webhook_id', 'ssh_key_id']
  const stateTexts = ['current_state_version_id', 'locked_by_kind', 'locked_by_id', 'locked_by_name']
  const flags = ['overwrites_execution_mode', 'overwrites_agent_pool', 'allow_destroy_plan', 'assessments_enabled']
  const moreFlags = ['auto_apply', 'auto_apply_run_trigger', 'file_triggers_enabled', 'global_remote_state']
  const lastFlags = ['project_remote_state', 'queue_all_runs', 'speculative_enabled', 'structured_run_output_enabled']
  const numbers = ['vcs_ingress_submodules', 'resource_count', 'resource_count_known', 'lock_generation', 'revision']
  const times = ['created_at', 'updated_at', 'latest_change_at']
  const maybeNumbers = ['auto_destroy_at', 'inherits_project_auto_destroy', 'locked_at', 'lock_expires_at']
  let table: CreateTableBuilder<string, string> = db.schema
    .createTable('workspaces')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('organization_id', types.text, (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('project_id', types.text, (column) => column.notNull().references('projects.id'))
  for (const name of [...texts, ...moreTexts]) table = table.addColumn(name, types.text, (column) => column.notNull())
  for (const name of [...maybeTexts, ...moreMaybeTexts, ...lastMaybeTexts, ...stateTexts])
    table = table.addColumn(name, types.text)
  for (const name of [...flags, ...moreFlags, ...lastFlags, ...numbers, ...times])
    table = table.addColumn(name, types.integer, (column) => column.notNull())
  for (const name of maybeNumbers) table = table.addColumn(name, types.integer)
  await table.addUniqueConstraint('workspaces_name', ['organization_id', 'name']).execute()
}

/** One index for each order of the list; the first also answers searches by name without touching the table. */
async function indexWorkspaces(db: Kysely<unknown>): Promise<void> {
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(name).ifNotExists().on('workspaces').columns(columns).execute()
  await index('workspaces_created', ['organization_id', 'created_at', 'id', 'name_key', 'project_id'])
  await index('workspaces_changed', ['organization_id', 'latest_change_at', 'created_at', 'id'])
  await index('workspaces_project', ['project_id', 'created_at', 'id'])
  await index('workspaces_ssh_key', ['ssh_key_id'])
  await index('workspaces_agent_pool', ['agent_pool_id'])
  await index('workspaces_oauth_token', ['vcs_oauth_token_id'])
  await index('workspaces_auto_destroy', ['auto_destroy_at'])
  await index('workspaces_lock_expiry', ['lock_expires_at'])
}

async function createCounts(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('workspace_counts')
    .ifNotExists()
    .addColumn('organization_id', types.text, (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('project_id', types.text, (column) => column.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('workspaces', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('workspace_counts_key', ['organization_id', 'project_id'])
    .execute()
}

async function createFormerNames(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('former_workspace_names')
    .ifNotExists()
    .addColumn('organization_id', types.text, (column) => column.notNull())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('workspace_id', types.text, (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
    .addColumn('renamed_at', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('former_workspace_names_key', ['organization_id', 'name'])
    .execute()
  const byWorkspace = db.schema.createIndex('former_workspace_names_workspace').ifNotExists()
  await byWorkspace.on('former_workspace_names').column('workspace_id').execute()
}

async function createToolVersions(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('tool_versions')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('tool', types.text, (column) => column.notNull())
    .addColumn('version', types.text, (column) => column.notNull())
    .addColumn('enabled', types.integer, (column) => column.notNull())
    .addColumn('official', types.integer, (column) => column.notNull())
    .addColumn('beta', types.integer, (column) => column.notNull())
    .addColumn('deprecated', types.integer, (column) => column.notNull())
    .addColumn('deprecated_reason', types.text)
    .addColumn('url', types.text)
    .addColumn('sha', types.text)
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addUniqueConstraint('tool_versions_version', ['tool', 'version'])
    .execute()
}
