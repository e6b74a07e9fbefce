import { readAccess } from '../../../access/permissions/index.ts'
import { type ColumnsOf, rowReader, rowWriter } from '../../../kit/field-set.ts'
import { removeAllDependents } from '../../../storage/cascade.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { containsInAnyCase } from '../../../storage/search.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import type { Team, TeamDetails, TeamId } from './team.ts'
import { facts, settings } from './team-fields.ts'

/** A team. `organization_access` is a JSON list of what is granted. */
interface TeamRow extends ColumnsOf<typeof settings.fields>, ColumnsOf<typeof facts.fields> {
  id: string
  organization_id: string
  organization_access: string
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    teams: TeamRow
  }
}

const toTeam: (row: TeamRow) => Team = rowReader([settings, facts], {
  id: (row) => row.id as TeamId,
  organizationId: (row) => row.organization_id,
  access: (row) => readAccess(row.organization_access),
})

const toRow: (team: Team) => TeamRow = rowWriter([settings, facts], {
  id: (team) => team.id,
  organization_id: (team) => team.organizationId,
  organization_access: (team) => JSON.stringify(team.access),
})

/** Adds the number of members to teams, in one query. */
async function withCounts(db: Queryable, rows: readonly TeamRow[]): Promise<TeamDetails[]> {
  const ids = rows.map((row) => row.id)
  const counts = await db
    .selectFrom('team_members')
    .where('team_id', 'in', ids)
    .groupBy('team_id')
    .select(['team_id', ({ fn }) => fn.countAll<number>().as('members')])
    .execute()
  const byTeam = new Map(counts.map(({ team_id, members }) => [team_id, Number(members)]))
  return rows.map((row) => ({ ...toTeam(row), usersCount: byTeam.get(row.id) ?? 0 }))
}

/** The teams with these ids. */
export async function loadTeams(db: Queryable, ids: readonly string[]): Promise<TeamDetails[]> {
  const rows = await db.selectFrom('teams').selectAll().where('id', 'in', ids).execute()
  return withCounts(db, rows)
}

/** The team with this id. */
export const loadTeam = async (db: Queryable, id: string): Promise<TeamDetails | undefined> =>
  (await loadTeams(db, [id]))[0]

/** The team that `organization/team` names; only the name of the team may contain a slash, and has a case. */
export async function loadTeamByNames(db: Queryable, names: string): Promise<Team | undefined> {
  const [organization, name] = splitOnce(names)
  const row = await db
    .selectFrom('teams')
    .innerJoin('organizations', 'organizations.id', 'teams.organization_id')
    .selectAll('teams')
    .where('organizations.name_key', '=', organization.toLowerCase())
    .where('teams.name', '=', name)
    .executeTakeFirst()
  return row && toTeam(row)
}

function splitOnce(names: string): readonly [organization: string, name: string] {
  const slash = names.indexOf('/')
  return slash < 0 ? [names, ''] : [names.slice(0, slash), names.slice(slash + 1)]
}

/** Which teams are asked for. */
type TeamFilter = {
  readonly organizationId: string
  readonly names?: readonly string[] | undefined
  readonly search?: string | undefined
  /** Set if the caller sees secret teams only as a member of them. */
  readonly secretFor?: ReadonlySet<string> | undefined
}

/** A page of teams by name, and how many there are. */
export async function listTeams(
  db: Queryable,
  filter: TeamFilter,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ teams: TeamDetails[]; total: number }> {
  let query = db.selectFrom('teams').where('organization_id', '=', filter.organizationId)
  const { names, search, secretFor } = filter
  if (names !== undefined) query = query.where('name', 'in', names)
  if (search !== undefined) query = query.where(containsInAnyCase('name', search))
  if (secretFor !== undefined) {
    query = query.where(({ or, eb }) => or([eb('visibility', '=', 'organization'), eb('id', 'in', [...secretFor])]))
  }
  const { total } = await query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await query.selectAll().orderBy('name').limit(page.limit).offset(page.offset).execute()
  return { teams: await withCounts(db, rows), total: Number(total) }
}

/** Who is in these teams, by membership; those who are only invited have no user yet. */
export async function listTeamMembers(
  db: Queryable,
  teamIds: readonly string[],
): Promise<{ teamId: string; membershipId: string; userId: string | null }[]> {
  const rows = await db
    .selectFrom('team_members')
    .innerJoin('organization_memberships as membership', 'membership.id', 'team_members.membership_id')
    .where('team_members.team_id', 'in', teamIds)
    .select(['team_members.team_id', 'membership.id as membership_id', 'membership.user_id'])
    .orderBy('membership.email_key')
    .execute()
  return rows.map((row) => ({ teamId: row.team_id, membershipId: row.membership_id, userId: row.user_id }))
}

/** Stores a team. */
export async function insertTeam(tx: Tx, team: Team): Promise<void> {
  await tx.insertInto('teams').values(toRow(team)).execute()
  await bumpTeams(tx)
}

/** Stores what changed about a team. */
export async function updateTeam(tx: Tx, team: Team): Promise<void> {
  const { id: _id, organization_id: _organization, ...columns } = toRow(team)
  await tx.updateTable('teams').set(columns).where('id', '=', team.id).execute()
  await bumpTeams(tx)
}

/** True if a team exists; until the transaction ends, nobody else can delete it or add anything to it. */
export async function lockTeamForUpdate(tx: Tx, id: string): Promise<boolean> {
  const row = await tx.selectFrom('teams').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return row !== undefined
}

/** Removes a team with its access and its tokens. */
export async function deleteTeam(tx: Tx, id: string): Promise<void> {
  await removeAllDependents(tx, 'teams', [id])
  await tx.deleteFrom('teams').where('id', '=', id).execute()
  await bumpTeams(tx)
}

/** Tokens act under the name of their team, so they have to be read again too. */
async function bumpTeams(tx: Tx): Promise<void> {
  bumpVersion(tx, 'teams')
  bumpVersion(tx, 'permissions')
  bumpVersion(tx, 'api-tokens')
}
