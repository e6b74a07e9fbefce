import { actorOf, type OrganizationGrants } from '../../../access/permissions/index.ts'
import type { Call } from '../../../kit/endpoint.ts'
import type { Resource } from '../../../kit/jsonapi/index.ts'
import { renderUsers } from '../users/index.ts'
import { visibleMembership } from './memberships/membership-rules.ts'
import { listMembershipsById } from './memberships/membership-store.ts'
import { toMembershipResource } from './memberships/membership-wire.ts'
import type { TeamDetails } from './team-rules.ts'
import { listTeamMembers } from './team-store.ts'
import { type TeamMembers, toTeamResource } from './team-wire.ts'

type ReadCall = Pick<Call, 'deps' | 'caller'> & { readonly query: { readonly include: ReadonlySet<string> } }

/** Teams as resources with their members, and what was asked to be included: two to four queries for a page. */
export async function renderTeams<const T extends readonly TeamDetails[]>(
  call: ReadCall,
  grants: OrganizationGrants,
  teams: T,
): Promise<{ resources: { [K in keyof T]: Resource }; included: readonly Resource[] }> {
  const actor = actorOf(call.caller)
  const places = await listTeamMembers(
    call.deps.db,
    teams.map(({ id }) => id),
  )
  const membersOf = membersAmong(places)
  const resources = teams.map((team) => toTeamResource(team, grants, actor, membersOf(team)))
  return { resources: resources as { [K in keyof T]: Resource }, included: await includedOf(call, grants, places) }
}

/** Teams as they are included with something else, each with the rights of the caller in its organization. */
export async function renderIncludedTeams(
  { deps, caller }: Pick<Call, 'deps' | 'caller'>,
  teams: readonly { readonly team: TeamDetails; readonly grants: OrganizationGrants }[],
): Promise<Resource[]> {
  if (teams.length === 0) return []
  const ids = teams.map(({ team }) => team.id)
  const membersOf = membersAmong(await listTeamMembers(deps.db, ids))
  return teams.map(({ team, grants }) => toTeamResource(team, grants, actorOf(caller), membersOf(team)))
}

type Place = Awaited<ReturnType<typeof listTeamMembers>>[number]

function membersAmong(places: readonly Place[]): (team: TeamDetails) => TeamMembers {
  const byTeam = Map.groupBy(places, ({ teamId }) => teamId)
  return ({ id }) => {
    const own = byTeam.get(id) ?? []
    return {
      userIds: own.flatMap(({ userId }) => userId ?? []),
      membershipIds: own.map(({ membershipId }) => membershipId),
    }
  }
}

async function includedOf(
  call: ReadCall,
  grants: OrganizationGrants,
  places: readonly { readonly userId: string | null; readonly membershipId: string }[],
): Promise<Resource[]> {
  const { include } = call.query
  const userIds = include.has('users') ? [...new Set(places.flatMap(({ userId }) => userId ?? []))] : []
  const wanted = include.has('organization_memberships') ? places.map(({ membershipId }) => membershipId) : []
  const memberships = wanted.length > 0 ? await listMembershipsById(call.deps.db, wanted) : []
  return [
    ...(await renderUsers(call, userIds)),
    ...memberships.map((membership) => toMembershipResource(visibleMembership(grants, membership))),
  ]
}
