import { removedIds } from '../../kit/removals/index.ts'
import type { Queryable } from '../../storage/open.ts'
import type { OrganizationFacts, ProjectAccessFacts, TeamFacts, WorkspaceAccessFacts } from './grants.ts'
import { type OrganizationAccess, organizationAccessNames } from './organization-rights.ts'

/** A fact about one organization, as several of them are read at once. */
type InOrganization<T> = T & { readonly organizationId: string }

/** Whose teams are asked for: those of a person, or one team by itself. */
export type GrantHolder = { readonly userId: string } | { readonly teamId: string }

const factColumns = [
  'organizations.id',
  'organizations.name',
  'organizations.allow_force_delete_workspaces',
  'organizations.user_tokens_enabled',
] as const

type FactRow = { id: string; name: string; allow_force_delete_workspaces: number; user_tokens_enabled: number }

const toFacts = (row: FactRow): OrganizationFacts => ({
  id: row.id,
  name: row.name,
  allowForceDelete: row.allow_force_delete_workspaces === 1,
  userTokensEnabled: row.user_tokens_enabled === 1,
})

/**
 * The organizations that are not being removed. Nothing else hides what belongs to those: whatever a request addresses is
 * looked up together with what its caller may do there.
 */
export const presentOrganizations = (db: Queryable) =>
  db.selectFrom('organizations').where('organizations.id', 'not in', removedIds(db, 'organization'))

/** The organizations a person belongs to, or the one of a team. */
export async function loadOrganizationFacts(db: Queryable, holder: GrantHolder): Promise<OrganizationFacts[]> {
  const rows =
    'userId' in holder
      ? await presentOrganizations(db)
          .innerJoin('organization_memberships as membership', 'membership.organization_id', 'organizations.id')
          .where('membership.user_id', '=', holder.userId)
          .where('membership.status', '=', 'active')
          .select(factColumns)
          .execute()
      : await presentOrganizations(db)
          .innerJoin('teams', 'teams.organization_id', 'organizations.id')
          .where('teams.id', '=', holder.teamId)
          .select(factColumns)
          .execute()
  return rows.map(toFacts)
}

/** One organization by itself. */
export async function loadOneOrganization(db: Queryable, id: string): Promise<OrganizationFacts | undefined> {
  const row = await presentOrganizations(db).where('id', '=', id).select(factColumns).executeTakeFirst()
  return row && toFacts(row)
}

/** The ids of these teams, as a subquery. */
const teamIdsOf = (db: Queryable, holder: GrantHolder) =>
  'userId' in holder
    ? db
        .selectFrom('team_members')
        .innerJoin('organization_memberships as membership', 'membership.id', 'team_members.membership_id')
        .where('membership.user_id', '=', holder.userId)
        .where('membership.status', '=', 'active')
        .select('team_members.team_id as id')
    : db.selectFrom('teams').where('teams.id', '=', holder.teamId).select('teams.id as id')

/** The teams of a person, or the one team. */
export async function loadTeams(db: Queryable, holder: GrantHolder): Promise<InOrganization<TeamFacts>[]> {
  const rows = await db
    .selectFrom('teams')
    .where('id', 'in', teamIdsOf(db, holder))
    .select(['id', 'organization_id', 'owners', 'organization_access'])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    owners: row.owners === 1,
    access: readAccess(row.organization_access),
  }))
}

/** Grants over an organization are stored as a JSON list of their names. */
export function readAccess(text: string): OrganizationAccess[] {
  const granted = new Set(JSON.parse(text) as readonly string[])
  return organizationAccessNames.filter((name) => granted.has(name))
}

/** Access of these teams to single workspaces, no more than so much. */
export async function loadWorkspaceAccess(
  db: Queryable,
  holder: GrantHolder,
  limit: number,
): Promise<InOrganization<WorkspaceAccessFacts>[]> {
  const rows = await db
    .selectFrom('team_workspace_access as given')
    .innerJoin('teams', 'teams.id', 'given.team_id')
    .where('given.team_id', 'in', teamIdsOf(db, holder))
    .select(['teams.organization_id', 'given.workspace_id', 'given.access', 'given.runs', 'given.variables'])
    .select(['given.state_versions', 'given.workspace_locking', 'given.run_tasks'])
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    access: row.access,
    runs: row.runs,
    variables: row.variables,
    stateVersions: row.state_versions,
    workspaceLocking: row.workspace_locking === 1,
    runTasks: row.run_tasks === 1,
  }))
}

/** Access of these teams to projects. */
export async function loadProjectAccess(
  db: Queryable,
  holder: GrantHolder,
): Promise<InOrganization<ProjectAccessFacts>[]> {
  const rows = await db
    .selectFrom('team_project_access as given')
    .innerJoin('teams', 'teams.id', 'given.team_id')
    .where('given.team_id', 'in', teamIdsOf(db, holder))
    .select(['teams.organization_id', 'given.project_id', 'given.access', 'given.project_settings'])
    .select(['given.project_teams', 'given.runs', 'given.variables', 'given.state_versions'])
    .select(['given.workspace_locking', 'given.run_tasks', 'given.workspace_delete'])
    .execute()
  return rows.map((row) => ({
    organizationId: row.organization_id,
    projectId: row.project_id,
    access: row.access,
    settings: row.project_settings,
    teams: row.project_teams,
    runs: row.runs,
    variables: row.variables,
    stateVersions: row.state_versions,
    workspaceLocking: row.workspace_locking === 1,
    runTasks: row.run_tasks === 1,
    workspaceDelete: row.workspace_delete === 1,
  }))
}

/** The workspaces of an organization whose state this one of them may read. */
export async function loadSharingWorkspaces(
  db: Queryable,
  organizationId: string,
  workspaceId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('workspaces')
    .select('workspaces.id')
    .where('organization_id', '=', organizationId)
    .where(({ eb, or, and, selectFrom }) =>
      or([
        eb('global_remote_state', '=', 1),
        and([
          eb('project_remote_state', '=', 1),
          eb(
            'project_id',
            '=',
            selectFrom('workspaces as own').select('own.project_id').where('own.id', '=', workspaceId),
          ),
        ]),
        eb(
          'workspaces.id',
          'in',
          selectFrom('remote_state_consumers as shared')
            .select('shared.workspace_id')
            .where('shared.consumer_id', '=', workspaceId),
        ),
      ]),
    )
    .execute()
  return rows.map(({ id }) => id)
}
