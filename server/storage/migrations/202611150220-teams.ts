import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Who belongs to an organization, its teams, and what teams may do. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createMemberships(db, types)
  await createTeams(db, types)
  await createWorkspaceAccess(db, types)
  await createProjectAccess(db, types)
}

async function createMemberships(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('organization_memberships')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('organization_id', types.text, (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('user_id', types.text, (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('email', types.text, (column) => column.notNull())
    .addColumn('email_key', types.text, (column) => column.notNull())
    .addColumn('status', types.text, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addUniqueConstraint('organization_memberships_email', ['organization_id', 'email_key'])
    .addUniqueConstraint('organization_memberships_user', ['organization_id', 'user_id'])
    .execute()
  const byUser = db.schema.createIndex('organization_memberships_by_user').ifNotExists()
  await byUser.on('organization_memberships').column('user_id').execute()
  const byEmail = db.schema.createIndex('organization_memberships_by_email').ifNotExists()
  await byEmail.on('organization_memberships').column('email_key').execute()
}

async function createTeams(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('teams')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('organization_id', types.text, (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('owners', types.integer, (column) => column.notNull())
    .addColumn('visibility', types.text, (column) => column.notNull())
    .addColumn('organization_access', types.text, (column) => column.notNull())
    .addColumn('allow_member_token_management', types.integer, (column) => column.notNull())
    .addColumn('allow_certificate_login', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addUniqueConstraint('teams_name', ['organization_id', 'name'])
    .execute()
  await db.schema
    .createTable('team_members')
    .ifNotExists()
    .addColumn('team_id', types.text, (column) => column.notNull().references('teams.id').onDelete('cascade'))
    .addColumn('membership_id', types.text, (column) =>
      column.notNull().references('organization_memberships.id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('team_members_key', ['team_id', 'membership_id'])
    .execute()
  const byMembership = db.schema.createIndex('team_members_membership').ifNotExists()
  await byMembership.on('team_members').column('membership_id').execute()
}

async function createWorkspaceAccess(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('team_workspace_access')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('team_id', types.text, (column) => column.notNull().references('teams.id').onDelete('cascade'))
    .addColumn('workspace_id', types.text, (column) => column.notNull())
    .addColumn('access', types.text, (column) => column.notNull())
    .addColumn('runs', types.text, (column) => column.notNull())
    .addColumn('variables', types.text, (column) => column.notNull())
    .addColumn('state_versions', types.text, (column) => column.notNull())
    .addColumn('sentinel_mocks', types.text, (column) => column.notNull())
    .addColumn('workspace_locking', types.integer, (column) => column.notNull())
    .addColumn('run_tasks', types.integer, (column) => column.notNull())
    .addUniqueConstraint('team_workspace_access_pair', ['team_id', 'workspace_id'])
    .execute()
  const byWorkspace = db.schema.createIndex('team_workspace_access_workspace').ifNotExists()
  await byWorkspace.on('team_workspace_access').column('workspace_id').execute()
}

async function createProjectAccess(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('team_project_access')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('team_id', types.text, (column) => column.notNull().references('teams.id').onDelete('cascade'))
    .addColumn('project_id', types.text, (column) => column.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('access', types.text, (column) => column.notNull())
    .addColumn('project_settings', types.text, (column) => column.notNull())
    .addColumn('project_teams', types.text, (column) => column.notNull())
    .addColumn('runs', types.text, (column) => column.notNull())
    .addColumn('variables', types.text, (column) => column.notNull())
    .addColumn('state_versions', types.text, (column) => column.notNull())
    .addColumn('sentinel_mocks', types.text, (column) => column.notNull())
    .addColumn('workspace_locking', types.integer, (column) => column.notNull())
    .addColumn('run_tasks', types.integer, (column) => column.notNull())
    .addColumn('workspace_create', types.integer, (column) => column.notNull())
    .addColumn('workspace_delete', types.integer, (column) => column.notNull())
    .addColumn('workspace_move', types.integer, (column) => column.notNull())
    .addUniqueConstraint('team_project_access_pair', ['team_id', 'project_id'])
    .execute()
  const byProject = db.schema.createIndex('team_project_access_project').ifNotExists()
  await byProject.on('team_project_access').column('project_id').execute()
}
