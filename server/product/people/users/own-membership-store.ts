import { removedIds } from '../../../kit/removals/index.ts'
import type { Queryable } from '../../../storage/open.ts'
import { foldCase } from './user.ts'

/** The membership of a person in an organization. */
export type OwnMembership = {
  readonly id: string
  readonly organizationId: string
  readonly email: string
  readonly status: string
  readonly teamIds: readonly string[]
}

const memberships = (db: Queryable) =>
  db
    .selectFrom('organization_memberships')
    .select(['id', 'organization_id', 'email', 'status'])
    .where('organization_id', 'not in', removedIds(db, 'organization'))
    .orderBy('id')

type Row = Awaited<ReturnType<ReturnType<typeof memberships>['execute']>>[number]

/** The memberships of a person, with their teams. */
export const loadMembershipsOf = async (db: Queryable, userId: string): Promise<OwnMembership[]> =>
  withTeams(db, await memberships(db).where('user_id', '=', userId).execute())

/** The open invitations for an address. */
export const loadInvitationsFor = async (db: Queryable, email: string): Promise<OwnMembership[]> =>
  withTeams(db, await memberships(db).where('email_key', '=', foldCase(email)).where('user_id', 'is', null).execute())

async function withTeams(db: Queryable, rows: readonly Row[]): Promise<OwnMembership[]> {
  const places = await db
    .selectFrom('team_members')
    .select(['membership_id', 'team_id'])
    .where(
      'membership_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('team_id')
    .execute()
  const byMembership = Map.groupBy(places, (place) => place.membership_id)
  return rows.map(({ id, organization_id: organizationId, email, status }) => {
    const teamIds = (byMembership.get(id) ?? []).map((place) => place.team_id)
    return { id, organizationId, email, status, teamIds }
  })
}

/** An organization that a person belongs to. */
export type OwnOrganization = {
  readonly userId: string
  readonly id: string
  readonly name: string
}

/** The organizations that people belong to, by name. */
export async function loadOrganizationsOf(db: Queryable, userIds: readonly string[]): Promise<OwnOrganization[]> {
  const rows = await db
    .selectFrom('organization_memberships as membership')
    .innerJoin('organizations', 'organizations.id', 'membership.organization_id')
    .where('membership.user_id', 'in', userIds)
    .where('membership.status', '=', 'active')
    .where('organizations.id', 'not in', removedIds(db, 'organization'))
    .select(['membership.user_id', 'organizations.id', 'organizations.name'])
    .orderBy('organizations.name')
    .execute()
  return rows.map(({ user_id: userId, ...organization }) => ({ ...organization, userId: userId ?? '' }))
}
