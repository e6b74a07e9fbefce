import type { Queryable } from '../../storage/open.ts'

/** What ties a person to an organization. */
export type OwnMembership = {
  readonly id: string
  readonly organizationId: string
  readonly email: string
  readonly status: string
  readonly teamIds: readonly string[]
}

/** The memberships of a person, with the teams they give a place in. */
export async function loadMembershipsOf(db: Queryable, userId: string): Promise<OwnMembership[]> {
  const rows = await db
    .selectFrom('organization_memberships')
    .select(['id', 'organization_id', 'email', 'status'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
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
  return rows.map(({ id, organization_id: organizationId, email, status }) => {
    const teamIds = places.filter((place) => place.membership_id === id).map((place) => place.team_id)
    return { id, organizationId, email, status, teamIds }
  })
}
