import { bit } from '../../storage/bits.ts'
import type { Queryable, Tx } from '../../storage/open.ts'
import type { TeamProjectAccessRow, TeamRow, TeamWorkspaceAccessRow } from '../../storage/tables/teams.ts'
import { bumpVersion } from '../../storage/versions.ts'
import type { TeamAccess, WorkspaceDetails } from './access-rules.ts'

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
  /** False when it was gone already. */
  readonly remove: (tx: Tx, id: string) => Promise<boolean>
}

type TeamColumns = Pick<TeamRow, 'organization_id' | 'name' | 'visibility'>
type CommonRow = Omit<TeamWorkspaceAccessRow, 'workspace_id'>

/** A row of either kind, with the columns of its team beside it. */
export type WithTeam<Row> = Row & TeamColumns

/** What rows of both kinds contain besides their target and their details. */
export const commonOf = (row: WithTeam<CommonRow>): Omit<TeamAccess<never>, 'targetId' | 'details'> => ({
  id: row.id,
  organizationId: row.organization_id,
  team: {
    id: row.team_id as TeamAccess<never>['team']['id'],
    name: row.name,
    visibility: row.visibility as TeamAccess<never>['team']['visibility'],
  },
  access: row.access,
})

/** The details of access to workspaces, which access to a project has as well. */
export const workspaceDetailsOf = (row: CommonRow): WorkspaceDetails => ({
  runs: row.runs,
  variables: row.variables,
  stateVersions: row.state_versions,
  sentinelMocks: row.sentinel_mocks,
  workspaceLocking: row.workspace_locking === 1,
  runTasks: row.run_tasks === 1,
})

/** The same details as columns. */
export const workspaceColumnsOf = (details: WorkspaceDetails): Omit<CommonRow, 'id' | 'team_id' | 'access'> => ({
  runs: details.runs,
  variables: details.variables,
  state_versions: details.stateVersions,
  sentinel_mocks: details.sentinelMocks,
  workspace_locking: bit(details.workspaceLocking),
  run_tasks: bit(details.runTasks),
})

type Table = 'team_workspace_access' | 'team_project_access'

/** Columns that only access to projects has. */
type ProjectColumns = Partial<Omit<TeamProjectAccessRow, keyof CommonRow | 'project_id'>>

type Change = Pick<TeamAccess<never>, 'access'> & ReturnType<typeof workspaceColumnsOf> & ProjectColumns

/** Changes a row of either kind, by the columns of its own table; false when it is gone. */
export async function updateAccess(tx: Tx, table: Table, id: string, change: Change): Promise<boolean> {
  const result = await tx.updateTable(table).set(change).where('id', '=', id).executeTakeFirst()
  await bumpVersion(tx, 'permissions')
  return result.numUpdatedRows === 1n
}

/** Removes a row of either kind; false when it was gone already. */
export async function removeAccess(tx: Tx, table: Table, id: string): Promise<boolean> {
  const result = await tx.deleteFrom(table).where('id', '=', id).executeTakeFirst()
  await bumpVersion(tx, 'permissions')
  return result.numDeletedRows === 1n
}
