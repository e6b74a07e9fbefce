import type { Queryable, Tx } from '../../storage/open.ts'
import type { TeamWorkspaceAccessRow } from '../../storage/tables/teams.ts'
import { bumpVersion } from '../../storage/versions.ts'
import {
  type AccessStore,
  commonOf,
  removeAccess,
  updateAccess,
  type WithTeam,
  workspaceColumnsOf,
  workspaceDetailsOf,
} from './access-row-store.ts'
import type { TeamAccess, WorkspaceDetails } from './access-rules.ts'

type Access = TeamAccess<WorkspaceDetails>

const toAccess = (row: WithTeam<TeamWorkspaceAccessRow>): Access => ({
  ...commonOf(row),
  targetId: row.workspace_id,
  details: workspaceDetailsOf(row),
})

const columnsOf = ({ access, details }: Pick<Access, 'access' | 'details'>) => ({
  access,
  ...workspaceColumnsOf(details),
})

const accessQuery = (db: Queryable) =>
  db
    .selectFrom('team_workspace_access as given')
    .innerJoin('teams', 'teams.id', 'given.team_id')
    .selectAll('given')
    .select(['teams.organization_id', 'teams.name', 'teams.visibility'])

async function insert(tx: Tx, access: Access): Promise<void> {
  const row = { id: access.id, team_id: access.team.id, workspace_id: access.targetId, ...columnsOf(access) }
  await tx.insertInto('team_workspace_access').values(row).execute()
  await bumpVersion(tx, 'permissions')
}

/** Access of teams to workspaces, as it is stored. */
export const workspaceAccessStore: AccessStore<WorkspaceDetails> = {
  load: async (db, id) => {
    const row = await accessQuery(db).where('given.id', '=', id).executeTakeFirst()
    return row && toAccess(row)
  },
  list: async (db, workspaceId) => {
    const rows = await accessQuery(db).where('given.workspace_id', '=', workspaceId).orderBy('teams.name').execute()
    return rows.map(toAccess)
  },
  listOfTeam: async (db, teamId) => (await accessQuery(db).where('given.team_id', '=', teamId).execute()).map(toAccess),
  insert,
  update: (tx, id, after) => updateAccess(tx, 'team_workspace_access', id, columnsOf(after)),
  remove: (tx, id) => removeAccess(tx, 'team_workspace_access', id),
}
