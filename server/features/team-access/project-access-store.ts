import { bit } from '../../storage/bits.ts'
import type { Queryable, Tx } from '../../storage/open.ts'
import type { TeamProjectAccessRow } from '../../storage/tables/teams.ts'
import { bumpVersion } from '../../storage/versions.ts'
import {
  type AccessStore,
  commonOf,
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

const joined = (db: Queryable) =>
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

async function update(tx: Tx, id: string, after: Pick<Access, 'access' | 'details'>): Promise<boolean> {
  const result = await tx
    .updateTable('team_project_access')
    .set(columnsOf(after))
    .where('id', '=', id)
    .executeTakeFirst()
  await bumpVersion(tx, 'permissions')
  return result.numUpdatedRows === 1n
}

async function remove(tx: Tx, id: string): Promise<boolean> {
  const result = await tx.deleteFrom('team_project_access').where('id', '=', id).executeTakeFirst()
  await bumpVersion(tx, 'permissions')
  return result.numDeletedRows === 1n
}

/** Access of teams to projects, as it is stored. */
export const projectAccessStore: AccessStore<ProjectDetails> = {
  load: async (db, id) => {
    const row = await joined(db).where('given.id', '=', id).executeTakeFirst()
    return row && toAccess(row)
  },
  list: async (db, projectId) => {
    const rows = await joined(db).where('given.project_id', '=', projectId).orderBy('teams.name').execute()
    return rows.map(toAccess)
  },
  insert,
  update,
  remove,
}
