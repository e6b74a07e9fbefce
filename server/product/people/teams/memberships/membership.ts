import { canInOrganization, type OrganizationGrants } from '../../../../access/permissions/grants.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import type { Id } from '../../../../kernel/ids.ts'
import type { ActorPrincipal } from '../../../../kernel/principal.ts'
import { canSeeTeam, type Team } from '../team.ts'

/** The identifier of a membership. */
export type MembershipId = Id<'ou'>

/** A person's place in an organization. Invited ones wait for a person with this e-mail address. */
export type Membership = {
  readonly id: MembershipId
  readonly organizationId: string
  readonly userId: string | null
  readonly email: string
  readonly status: 'invited' | 'active'
  readonly createdAt: Instant
}

/** A membership with its teams and the name of its person. */
export type MembershipDetails = Membership & {
  readonly organizationName: string
  readonly username: string | null
  readonly teams: readonly Pick<Team, 'id' | 'visibility' | 'owners'>[]
}

/**
 * The membership without the teams that the caller may not see; without any if the caller has no grants in its
 * organization.
 */
export const visibleMembership = (
  grants: OrganizationGrants | undefined,
  membership: MembershipDetails,
): MembershipDetails => ({
  ...membership,
  teams: membership.teams.filter((team) => grants !== undefined && canSeeTeam(grants, team)),
})

/** Managers of people end memberships. Those of owners are ended by owners only, and everybody may end their own. */
export function canEndMembership(
  grants: OrganizationGrants,
  { userId, teams }: Pick<MembershipDetails, 'userId' | 'teams'>,
  actor: ActorPrincipal,
): boolean {
  if (grants.owner || (actor.kind === 'user' && actor.id === userId)) return true
  return canInOrganization(grants, 'can-manage-users') && !teams.some(({ owners }) => owners)
}

/** How many people own an organization, and how many of them are not suspended. */
export type OwnerCount = { readonly all: number; readonly unsuspended: number }

/**
 * True if a change took the last owner who can act. If all owners are suspended, members can still be removed, but not
 * the last owner.
 */
export const lostLastOwner = (before: OwnerCount, after: OwnerCount): boolean =>
  after.all === 0 || (after.unsuspended === 0 && before.unsuspended > 0)
