import type { Instant } from '../../../../kernel/clock.ts'
import { isId } from '../../../../kernel/ids.ts'
import { removedIds } from '../../../../kit/removals/index.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import { rowChunksOf } from '../../../../storage/row-chunks.ts'
import { contains } from '../../../../storage/search.ts'
import type { DescribedTables } from '../../../../storage/tables.ts'
import { totalOf } from '../../../../storage/totals.ts'
import { letOthersRead } from '../../../../storage/transaction.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import { foldCase } from '../../users/index.ts'
import type { Team, TeamId } from '../team.ts'
import type { Membership, MembershipDetails, MembershipId, OwnerCount } from './membership.ts'

/** A member of a team. */
interface TeamMemberRow {
  team_id: string
  membership_id: string
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    team_members: TeamMemberRow
  }
}

const toMembership = (row: DescribedTables['organization_memberships']): Membership => ({
  id: row.id as MembershipId,
  organizationId: row.organization_id,
  userId: row.user_id,
  email: row.email,
  status: row.status as Membership['status'],
  createdAt: row.created_at as Instant,
})

/** The membership of an e-mail address in an organization. */
export async function findMembershipByEmail(
  db: Queryable,
  organizationId: string,
  email: string,
): Promise<Membership | undefined> {
  const row = await db
    .selectFrom('organization_memberships')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('email_key', '=', foldCase(email))
    .executeTakeFirst()
  return row && toMembership(row)
}

/** The memberships of an organization with these ids. */
export async function findMemberships(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Membership[]> {
  const rows = await db
    .selectFrom('organization_memberships')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(toMembership)
}

/**
 * The memberships of people in an organization, by user id or user name. A text in the form of an id is taken as one:
 * somebody may have chosen the id of another person as a name.
 */
export async function findMembershipsOfUsers(
  db: Queryable,
  organizationId: string,
  names: readonly string[],
): Promise<{ name: string; membership: Membership }[]> {
  const [ids, usernames] = [names.filter(isUserId), names.filter((name) => !isUserId(name)).map(foldCase)]
  const rows = await db
    .selectFrom('organization_memberships as membership')
    .innerJoin('users', 'users.id', 'membership.user_id')
    .selectAll('membership')
    .select(['users.username_key'])
    .where('membership.organization_id', '=', organizationId)
    .where(({ or, eb }) => or([eb('users.id', 'in', ids), eb('users.username_key', 'in', usernames)]))
    .execute()
  const byId = new Map(rows.map((row) => [row.user_id, row]))
  const byName = new Map(rows.map((row) => [row.username_key, row]))
  return names.flatMap((name) => {
    const row = isUserId(name) ? byId.get(name) : byName.get(foldCase(name))
    return row ? [{ name, membership: toMembership(row) }] : []
  })
}

const isUserId = (name: string): boolean => isId('user', name)

/** Which memberships are asked for. */
export type MembershipFilter = {
  readonly organizationId?: string
  readonly userId?: string
  readonly teamId?: string
  readonly ids?: readonly string[]
  readonly status?: string | undefined
  readonly emails?: readonly string[] | undefined
  readonly search?: string | undefined
}

/** The memberships that match. One index holds all that a list searches and sorts by, so no other table is joined. */
const matchingQuery = (db: Queryable, filter: MembershipFilter) => {
  const memberships = db.selectFrom('organization_memberships as membership')
  // Who asks for one organization has found it.
  let query =
    filter.organizationId === undefined
      ? memberships.where('membership.organization_id', 'not in', removedIds(db, 'organization'))
      : memberships.where('membership.organization_id', '=', filter.organizationId)
  if (filter.userId !== undefined) query = query.where('membership.user_id', '=', filter.userId)
  if (filter.teamId !== undefined) {
    const members = db.selectFrom('team_members').select('membership_id').where('team_id', '=', filter.teamId)
    query = query.where('membership.id', 'in', members)
  }
  if (filter.ids !== undefined) query = query.where('membership.id', 'in', filter.ids)
  if (filter.status !== undefined) query = query.where('membership.status', '=', filter.status)
  if (filter.emails !== undefined) query = query.where('membership.email_key', 'in', filter.emails.map(foldCase))
  if (filter.search !== undefined) {
    const search = foldCase(filter.search)
    query = query.where(({ or }) =>
      or([contains('membership.email_key', search), contains('membership.username_key', search)]),
    )
  }
  return query
}

/** The memberships with these ids, with their teams. */
export const listMembershipsById = async (db: Queryable, ids: readonly string[]): Promise<MembershipDetails[]> =>
  (await listMemberships(db, { ids }, { offset: 0, limit: ids.length })).memberships

/** A page of memberships with their teams, and how many there are: three queries, whatever the size of the page. */
export async function listMemberships(
  db: Queryable,
  filter: MembershipFilter,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ memberships: MembershipDetails[]; total: number }> {
  const query = matchingQuery(db, filter)
  const found = query
    .select('membership.id')
    .orderBy('membership.email_key')
    .orderBy('membership.id')
    .limit(page.limit)
    .offset(page.offset)
  const rows = await db
    .selectFrom(found.as('found'))
    .innerJoin('organization_memberships as membership', 'membership.id', 'found.id')
    .innerJoin('organizations', 'organizations.id', 'membership.organization_id')
    .leftJoin('users', 'users.id', 'membership.user_id')
    .selectAll('membership')
    .select(['organizations.name as organization_name', 'users.username'])
    .orderBy('membership.email_key')
    .orderBy('membership.id')
    .execute()
  const count = query.select(({ fn }) => fn.countAll<number>().as('total'))
  const total = await totalOf(page, rows.length, count)
  const ids = rows.map((row) => row.id)
  const places = Map.groupBy(await loadTeamPlaces(db, ids), ({ membershipId }) => membershipId)
  const memberships = rows.map((row) => ({
    ...toMembership(row),
    organizationName: row.organization_name,
    username: row.username,
    teams: (places.get(row.id) ?? []).map(({ team }) => team),
  }))
  return { memberships, total }
}

type TeamPlace = { readonly membershipId: string; readonly team: MembershipDetails['teams'][number] }

/** The teams of memberships, by name. */
async function loadTeamPlaces(db: Queryable, membershipIds: readonly string[]): Promise<TeamPlace[]> {
  const rows = await db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .where('team_members.membership_id', 'in', membershipIds)
    .select(['team_members.membership_id', 'teams.id', 'teams.visibility', 'teams.owners'])
    .orderBy('teams.name')
    .execute()
  return rows.map((row) => ({
    membershipId: row.membership_id,
    team: { id: row.id as TeamId, visibility: row.visibility as Team['visibility'], owners: row.owners === 1 },
  }))
}

/** Puts memberships into teams; those that are there already stay. */
export async function insertTeamMembers(
  tx: Tx,
  teamIds: readonly string[],
  membershipIds: readonly string[],
): Promise<void> {
  const rows = teamIds.flatMap((team_id) => membershipIds.map((membership_id) => ({ team_id, membership_id })))
  if (rows.length === 0) return
  for (const lot of rowChunksOf(rows)) {
    await tx
      .insertInto('team_members')
      .values(lot)
      .onConflict((conflict) => conflict.columns(['team_id', 'membership_id']).doNothing())
      .execute()
    await letOthersRead(tx)
  }
  bumpVersion(tx, 'permissions')
  bumpVersion(tx, 'teams')
}

/** Removes memberships from a team; those that are not in it are ignored. */
export async function deleteTeamMembers(tx: Tx, teamId: string, membershipIds: readonly string[]): Promise<void> {
  for (const lot of rowChunksOf(membershipIds)) {
    await tx.deleteFrom('team_members').where('team_id', '=', teamId).where('membership_id', 'in', lot).execute()
    await letOthersRead(tx)
  }
  bumpVersion(tx, 'permissions')
  bumpVersion(tx, 'teams')
}

/** Lets one transaction at a time decide about the owners of an organization. */
export async function lockOrganizationForUpdate(tx: Tx, organizationId: string): Promise<void> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
}

/** How many people own an organization. */
export async function countOwners(db: Queryable, organizationId: string): Promise<OwnerCount> {
  const { all, unsuspended } = await db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .innerJoin('organization_memberships as membership', 'membership.id', 'team_members.membership_id')
    .innerJoin('users', 'users.id', 'membership.user_id')
    .where('teams.organization_id', '=', organizationId)
    .where('teams.owners', '=', 1)
    .where('membership.status', '=', 'active')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('users.suspended', '=', 0).as('unsuspended'),
    ])
    .executeTakeFirstOrThrow()
  return { all: Number(all), unsuspended: Number(unsuspended) }
}
