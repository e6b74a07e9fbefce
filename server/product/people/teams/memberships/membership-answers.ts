import { actorOf, grantsOf } from '../../../../access/permissions/index.ts'
import type { Call } from '../../../../kit/endpoint.ts'
import { answerPage, type ListQuery, type Resource, rangeOf } from '../../../../kit/jsonapi/index.ts'
import type { Reply } from '../../../../kit/reply.ts'
import { renderUsers, toInvitedResource } from '../../users/index.ts'
import { renderIncludedTeams } from '../team-answers.ts'
import { loadTeams } from '../team-store.ts'
import { type MembershipDetails, visibleMembership } from './membership-rules.ts'
import { listMemberships, type MembershipFilter } from './membership-store.ts'
import { toMembershipResource } from './membership-wire.ts'

type Asked = Pick<Call, 'deps' | 'caller'>

/** Memberships as resources, and what was asked to be included. Teams that the caller may not see appear in neither. */
async function renderMemberships(
  call: Asked,
  include: ReadonlySet<string>,
  all: readonly MembershipDetails[],
): Promise<{ readonly resources: readonly Resource[]; readonly included: readonly Resource[] }> {
  const { byId: grants } = await grantsOf(call.deps, actorOf(call.caller))
  const memberships = all.map((membership) => visibleMembership(grants.get(membership.organizationId), membership))
  return { resources: memberships.map(toMembershipResource), included: await loadIncluded(call, include, memberships) }
}

/** One membership as a resource, and what was asked to be included. */
export async function renderMembership(
  call: Asked,
  include: ReadonlySet<string>,
  membership: MembershipDetails,
): Promise<{ readonly resource: Resource; readonly included: readonly Resource[] }> {
  const { resources, included } = await renderMemberships(call, include, [membership])
  return { resource: resources[0] as Resource, included }
}

/** The people and teams of memberships, if they were asked for. */
async function loadIncluded(
  call: Asked,
  include: ReadonlySet<string>,
  memberships: readonly MembershipDetails[],
): Promise<readonly Resource[]> {
  const userIds = include.has('user') ? memberships.flatMap(({ userId }) => userId ?? []) : []
  const teamIds = include.has('teams') ? memberships.flatMap(({ teams }) => teams.map(({ id }) => id)) : []
  return [
    ...(await renderUsers(call, userIds)),
    ...(include.has('user') ? memberships.flatMap(invitedUserOf) : []),
    ...(await teamResources(call, [...new Set(teamIds)])),
  ]
}

const invitedUserOf = ({ id, email, userId }: MembershipDetails): Resource[] =>
  userId === null ? [toInvitedResource({ membershipId: id, email })] : []

/** Teams by id, in any organization. */
async function teamResources(call: Asked, ids: readonly string[]): Promise<readonly Resource[]> {
  if (ids.length === 0) return []
  const { byId } = await grantsOf(call.deps, actorOf(call.caller))
  const teams = await loadTeams(call.deps.db, ids)
  return await renderIncludedTeams(
    call,
    teams.flatMap((team) => {
      const grants = byId.get(team.organizationId)
      return grants ? [{ team, grants }] : []
    }),
  )
}

type ListCall = Call<Record<string, string>, ListQuery & Pick<MembershipFilter, 'search' | 'status' | 'emails'>>

/** A page of the memberships that the query asks for, among these. */
export async function answerMemberships(call: ListCall, among: MembershipFilter): Promise<Reply> {
  const { page, search, status, emails, include } = call.query
  const filter = { ...among, search, status, emails }
  const { memberships, total } = await listMemberships(call.deps.db, filter, rangeOf(page))
  const { resources, included } = await renderMemberships(call, include, memberships)
  return answerPage(call, { resources, total }, { included })
}
