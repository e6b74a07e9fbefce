import { bit } from '../../../storage/bits.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import type { DescribedTables } from '../../../storage/tables.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import type { ProjectDetails, TeamAccess, WorkspaceDetails } from './team-access.ts'

/** What a team may do with one workspace; the details count for `custom`. */
interface TeamWorkspaceAccessRow {
  id: string
  team_id: string
  workspace_id: string
  access: string
  runs: string
  variables: string
  state_versions: string
  sentinel_mocks: string
  workspace_locking: number
  run_tasks: number
  policy_overrides: number
}

/** What a team may do with a project and the workspaces in it; the details count for `custom`. */
interface TeamProjectAccessRow {
  id: string
  team_id: string
  project_id: string
  access: string
  project_settings: string
  project_teams: string
  project_variable_sets: string
  runs: string
  variables: string
  state_versions: string
  sentinel_mocks: string
  workspace_locking: number
  run_tasks: number
  policy_overrides: number
  workspace_create: number
  workspace_delete: number
  workspace_move: number
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    team_workspace_access: TeamWorkspaceAccessRow
    team_project_access: TeamProjectAccessRow
  }
}

/** How a kind of access is stored. Every write changes the version, so that all permissions are read again. */
export type AccessStore<D> = {
  readonly load: (db: Queryable, id: string) => Promise<TeamAccess<D> | undefined>
  /** All access to one workspace or project, by the name of the team. */
  readonly list: (db: Queryable, targetId: string) => Promise<TeamAccess<D>[]>
  /** All access of one team, in no particular order. */
  readonly listOfTeam: (db: Queryable, teamId: string) => Promise<TeamAccess<D>[]>
  /** A second access of the same team is a unique violation. */
  readonly insert: (tx: Tx, access: TeamAccess<D>) => Promise<void>
  /** False when it is gone. */
  readonly update: (tx: Tx, id: string, after: Pick<TeamAccess<D>, 'access' | 'details'>) => Promise<boolean>
  /** Removes all access to one workspace or project. */
  readonly removeFromTarget: (tx: Tx, targetId: string) => Promise<void>
  /** False when it was gone already. */
  readonly remove: (tx: Tx, id: string) => Promise<boolean>
}

type TargetColumn = 'workspace_id' | 'project_id'

/** The columns that tell what a team may do, of a row of either kind. */
type DetailColumns<Row> = Omit<Row, 'id' | 'team_id' | 'access' | TargetColumn>
type ForWorkspace = DetailColumns<TeamWorkspaceAccessRow>
type ForProject = DetailColumns<TeamProjectAccessRow>

/** Where a kind of access is stored, and its details as columns. */
type Layout<D, Columns> = {
  readonly table: 'team_workspace_access' | 'team_project_access'
  readonly target: TargetColumn
  readonly toDetails: (columns: Columns) => D
  readonly toColumns: (details: D) => Columns
}

/** A row of either kind, of which only its own target is read, with the columns of its team beside it. */
type Row = Pick<TeamWorkspaceAccessRow, 'id' | 'team_id' | 'access'> &
  Readonly<Record<TargetColumn, string>> &
  Pick<DescribedTables['teams'], 'organization_id' | 'name' | 'visibility'>

function storeFor<D, Columns extends ForWorkspace>(layout: Layout<D, Columns>): AccessStore<D> {
  const { table, target, toDetails, toColumns } = layout
  const query = (db: Queryable) =>
    db
      .selectFrom(db.dynamic.table(table).as('given'))
      .innerJoin('teams', 'teams.id', 'given.team_id')
      .selectAll('given')
      .select(['teams.organization_id', 'teams.name', 'teams.visibility'])
      .$castTo<Row & Columns>()
  const toAccess = (row: Row & Columns): TeamAccess<D> => ({
    id: row.id,
    organizationId: row.organization_id,
    team: {
      id: row.team_id as TeamAccess<D>['team']['id'],
      name: row.name,
      visibility: row.visibility as TeamAccess<D>['team']['visibility'],
    },
    targetId: row[target],
    access: row.access,
    details: toDetails(row),
  })
  return {
    load: async (db, id) => {
      const [row] = await query(db).where('given.id', '=', id).execute()
      return row && toAccess(row)
    },
    list: async (db, targetId) => {
      const ofTarget = query(db).where(db.dynamic.ref(`given.${target}`), '=', targetId)
      return (await ofTarget.orderBy('teams.name').execute()).map(toAccess)
    },
    listOfTeam: async (db, teamId) => (await query(db).where('given.team_id', '=', teamId).execute()).map(toAccess),
    insert: async (tx, { id, team, targetId, access, details }) => {
      const row = { id, team_id: team.id, [target]: targetId, access, ...toColumns(details) }
      await tx.insertInto(table).values(row).execute()
      bumpVersion(tx, 'permissions')
    },
    update: async (tx, id, { access, details }) => {
      const change = { access, ...toColumns(details) }
      const result = await tx.updateTable(table).set(change).where('id', '=', id).executeTakeFirst()
      bumpVersion(tx, 'permissions')
      return result.numUpdatedRows === 1n
    },
    removeFromTarget: async (tx, targetId) => {
      await tx.deleteFrom(table).where(tx.dynamic.ref(target), '=', targetId).execute()
      bumpVersion(tx, 'permissions')
    },
    remove: async (tx, id) => {
      const result = await tx.deleteFrom(table).where('id', '=', id).executeTakeFirst()
      bumpVersion(tx, 'permissions')
      return result.numDeletedRows === 1n
    },
  }
}

/** The details of access to workspaces, which access to a project has as well. */
const toWorkspaceDetails = (columns: ForWorkspace): WorkspaceDetails => ({
  runs: columns.runs,
  variables: columns.variables,
  stateVersions: columns.state_versions,
  sentinelMocks: columns.sentinel_mocks,
  workspaceLocking: columns.workspace_locking === 1,
  runTasks: columns.run_tasks === 1,
  policyOverrides: columns.policy_overrides === 1,
})

const toWorkspaceColumns = (details: WorkspaceDetails): ForWorkspace => ({
  runs: details.runs,
  variables: details.variables,
  state_versions: details.stateVersions,
  sentinel_mocks: details.sentinelMocks,
  workspace_locking: bit(details.workspaceLocking),
  run_tasks: bit(details.runTasks),
  policy_overrides: bit(details.policyOverrides),
})

/** Access of teams to workspaces, as it is stored. */
export const workspaceAccessStore: AccessStore<WorkspaceDetails> = storeFor({
  table: 'team_workspace_access',
  target: 'workspace_id',
  toDetails: toWorkspaceDetails,
  toColumns: toWorkspaceColumns,
})

/** Access of teams to projects, as it is stored. */
export const projectAccessStore: AccessStore<ProjectDetails> = storeFor({
  table: 'team_project_access',
  target: 'project_id',
  toDetails: (columns: ForProject) => ({
    ...toWorkspaceDetails(columns),
    settings: columns.project_settings,
    teams: columns.project_teams,
    variableSets: columns.project_variable_sets,
    create: columns.workspace_create === 1,
    delete: columns.workspace_delete === 1,
    move: columns.workspace_move === 1,
  }),
  toColumns: (details) => ({
    ...toWorkspaceColumns(details),
    project_settings: details.settings,
    project_teams: details.teams,
    project_variable_sets: details.variableSets,
    workspace_create: bit(details.create),
    workspace_delete: bit(details.delete),
    workspace_move: bit(details.move),
  }),
})
