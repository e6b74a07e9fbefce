import { bit } from '../../storage/bits.ts'
import type { Queryable, Tx } from '../../storage/open.ts'
import type { TeamProjectAccessRow } from '../../storage/tables/teams.ts'
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
import type { ProjectDetails, TeamAccess } from './access-rules.ts'

type Access = TeamAccess<ProjectDetails>

const toAccess = (row: WithTeam<TeamProjectAccessRow>): Access => ({
  ...commonOf(row),
  targetId: row.project_id,
  details: {
    ...workspaceDetailsOf(row),
    settings: row.project_settings,
    teams: row.project_teams,
    create: row.workspace_create === 1,
    delete: row.workspace_delete === 1,
    move: row.workspace_move === 1,
  },
})

const columnsOf = ({ access, details }: Pick<Access, 'access' | 'details'>) => ({
  access,
  ...workspaceColumnsOf(details),
  project_settings: details.settings,
  project_teams: details.teams,
  workspace_create: bit(details.create),
  workspace_delete: bit(details.delete),
  workspace_move: bit(details.move),
})

const accessQuery = (db: Queryable) =>
  db
    .selectFrom('team_project_access as given')
    .innerJoin('teams', 'teams.id', 'given.team_id')
    .selectAll('given')
    .select(['teams.organization_id', 'teams.name', 'teams.visibility'])

async function insert(tx: Tx, access: Access): Promise<void> {
  const row = { id: access.id, team_id: access.team.id, project_id: access.targetId, ...columnsOf(access) }
  await tx.insertInto('team_project_access').values(row).execute()
  await bumpVersion(tx, 'permissions')
}

/** Access of teams to projects, as it is stored. */
export const projectAccessStore: AccessStore<ProjectDetails> = {
  load: async (db, id) => {
    const row = await accessQuery(db).where('given.id', '=', id).executeTakeFirst()
    return row && toAccess(row)
  },
  list: async (db, projectId) => {
    const rows = await accessQuery(db).where('given.project_id', '=', projectId).orderBy('teams.name').execute()
    return rows.map(toAccess)
  },
  listOfTeam: async (db, teamId) => (await accessQuery(db).where('given.team_id', '=', teamId).execute()).map(toAccess),
  insert,
  update: (tx, id, after) => updateAccess(tx, 'team_project_access', id, columnsOf(after)),
  remove: (tx, id) => removeAccess(tx, 'team_project_access', id),
}
