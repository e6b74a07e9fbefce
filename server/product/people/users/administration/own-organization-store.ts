import type { Queryable } from '../../../../storage/open.ts'
import type { OwnOrganization } from './own-organization-rules.ts'

/** The organizations that people belong to, by name. */
export async function loadOrganizationsOf(db: Queryable, userIds: readonly string[]): Promise<OwnOrganization[]> {
  const rows = await db
    .selectFrom('organization_memberships as membership')
    .innerJoin('organizations', 'organizations.id', 'membership.organization_id')
    .where('membership.user_id', 'in', userIds)
    .where('membership.status', '=', 'active')
    .select(['membership.user_id', 'organizations.id', 'organizations.name'])
    .orderBy('organizations.name')
    .execute()
  return rows.map(({ user_id: userId, ...organization }) => ({ ...organization, userId: userId ?? '' }))
}
