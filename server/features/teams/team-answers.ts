import { actorOf, type OrganizationGrants } from '../../access/permissions/index.ts'
import type { Call } from '../../kit/endpoint.ts'
import type { Resource } from '../../kit/jsonapi/index.ts'
import { loadUsers, toUserResource } from '../users/index.ts'
import { visibleMembership } from './memberships/membership-rules.ts'
import { listMembershipsById } from './memberships/membership-store.ts'
import { toMembershipResource } from './memberships/membership-wire.ts'
import type { TeamDetails } from './team-rules.ts'
import { listTeamMembers } from './team-store.ts'
import { type TeamMembers, toTeamResource } from './team-wire.ts'

type Asked = Pick<Call, 'deps' | 'caller'> & { readonly query: { readonly include: ReadonlySet<string> } }

/** Teams as resources with their members, and what was asked to be included: two to four queries for a page. */
export async function renderTeams<const T extends readonly TeamDetails[]>(
  call: Asked,
  grants: OrganizationGrants,
  teams: T,
): Promise<{ resources: { [K in keyof T]: Resource }; included: readonly Resource[] }> {
  const actor = actorOf(call.caller)
  const places = await listTeamMembers(
    call.deps.db,
    teams.map(({ id }) => id),
  )
  const membersOf = (team: TeamDetails): TeamMembers => {
    const own = places.filter(({ teamId }) => teamId === team.id)
    return {
      userIds: own.flatMap(({ userId }) => userId ?? []),
      membershipIds: own.map(({ membershipId }) => membershipId),
    }
  }
  const resources = teams.map((team) => toTeamResource(team, grants, actor, membersOf(team)))
  return { resources: resources as { [K in keyof T]: Resource }, included: await includedOf(call, grants, places) }
}

async function includedOf(
  call: Asked,
  grants: OrganizationGrants,
  places: readonly { readonly userId: string | null; readonly membershipId: string }[],
): Promise<Resource[]> {
  const { include } = call.query
  const userIds = include.has('users') ? [...new Set(places.flatMap(({ userId }) => userId ?? []))] : []
  const users = userIds.length > 0 ? await loadUsers(call.deps.db, userIds) : []
  const wanted = include.has('organization_memberships') ? places.map(({ membershipId }) => membershipId) : []
  const memberships = wanted.length > 0 ? await listMembershipsById(call.deps.db, wanted) : []
  return [
    ...users.map((user) => toUserResource(user, { email: true, self: false })),
    ...memberships.map((membership) => toMembershipResource(visibleMembership(grants, membership))),
  ]
}
