import {
  actorOf,
  anyPerson,
  grantsOf,
  hidden,
  inOrganization,
  onResource,
  organizationInPath,
} from '../../../../access/permissions/index.ts'
import { isId } from '../../../../kernel/ids.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, type RuleCall } from '../../../../kit/endpoint.ts'
import {
  answerCreated,
  answerOne,
  answerPage,
  documentSchema,
  type ListQuery,
  pageSchema,
  type Resource,
  rangeOf,
} from '../../../../kit/jsonapi/index.ts'
import { nothing, type Reply } from '../../../../kit/reply.ts'
import { renderUsers, toInvitedResource } from '../../users/index.ts'
import { canSeeTeam } from '../team.ts'
import { onTeam, renderIncludedTeams } from '../team-endpoints.ts'
import { loadTeams } from '../team-store.ts'
import { canEndMembership, type MembershipDetails, visibleMembership } from './membership.ts'
import { invite, removeMembership } from './membership-actions.ts'
import {
  invitationBody,
  membershipQuery,
  membershipSchema,
  membershipsQuery,
  toMembershipResource,
} from './membership-fields.ts'
import { listMemberships, listMembershipsById, type MembershipFilter } from './membership-store.ts'

type ReadCall = Pick<Call, 'deps' | 'caller'>

/** Memberships as resources, and what was asked to be included. Teams that the caller may not see appear in neither. */
async function renderMemberships(
  call: ReadCall,
  include: ReadonlySet<string>,
  all: readonly MembershipDetails[],
): Promise<{ readonly resources: readonly Resource[]; readonly included: readonly Resource[] }> {
  const { byId: grants } = await grantsOf(call.deps, actorOf(call.caller))
  const memberships = all.map((membership) => visibleMembership(grants.get(membership.organizationId), membership))
  return { resources: memberships.map(toMembershipResource), included: await loadIncluded(call, include, memberships) }
}

/** One membership as a resource, and what was asked to be included. */
async function renderMembership(
  call: ReadCall,
  include: ReadonlySet<string>,
  membership: MembershipDetails,
): Promise<{ readonly resource: Resource; readonly included: readonly Resource[] }> {
  const { resources, included } = await renderMemberships(call, include, [membership])
  return { resource: resources[0] as Resource, included }
}

/** The people and teams of memberships, if they were asked for. */
async function loadIncluded(
  call: ReadCall,
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
async function teamResources(call: ReadCall, ids: readonly string[]): Promise<readonly Resource[]> {
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
async function answerMemberships(call: ListCall, among: MembershipFilter): Promise<Reply> {
  const { page, search, status, emails, include } = call.query
  const filter = { ...among, search, status, emails }
  const { memberships, total } = await listMemberships(call.deps.reads, filter, rangeOf(page))
  const { resources, included } = await renderMemberships(call, include, memberships)
  return answerPage(call, { resources, total }, { included })
}

const byId = { membershipId: { description: 'Identifier of the membership.' } }

async function findAddressedMembership(call: RuleCall): Promise<MembershipDetails | undefined> {
  const id = call.params.membershipId ?? ''
  if (!isId('ou', id)) return undefined
  return (await listMembershipsById(call.deps.db, [id]))[0]
}

const onReadableMembership = onResource({ name: 'membership:read', load: findAddressedMembership, allows: () => true })

const onRemovableMembership = onResource({
  name: 'membership:delete',
  load: findAddressedMembership,
  allows: canEndMembership,
})

/** Who belongs to organizations. */
export const membershipEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'memberships.list',
    route: 'GET /organizations/:organization/organization-memberships',
    summary: 'List the members of an organization, including people who are invited.',
    access: inOrganization('can-traverse'),
    params: organizationInPath,
    query: membershipsQuery,
    returns: { 200: pageSchema(membershipSchema) },
    fails: ['missing', 'malformed'],
    handle: (call) => answerMemberships(call, { organizationId: call.subject.organizationId }),
  }),
  endpoint({
    id: 'memberships.of-team',
    route: 'GET /teams/:teamId/relationships/organization-memberships',
    summary: 'List the members of a team by organization membership.',
    access: onTeam('read', canSeeTeam),
    params: { teamId: { description: 'Identifier of the team.' } },
    query: membershipsQuery,
    returns: { 200: pageSchema(membershipSchema) },
    fails: ['missing', 'malformed'],
    handle: (call) => answerMemberships(call, { teamId: call.subject.resource.id }),
  }),
  endpoint({
    id: 'memberships.invite',
    route: 'POST /organizations/:organization/organization-memberships',
    summary: 'Invite someone by e-mail address.',
    description:
      'People whose account has this address, verified, become members at once. For anybody else the response has a ' +
      'link to hand over: whoever opens it signed in, or creates an account there, becomes the member. The link works ' +
      'once, for 7 days, and as long as the invitation; to make another one, delete the membership and invite again. ' +
      'The invitation is also accepted when a site administrator gives an account this address. The response ' +
      'includes the user.',
    notRehearsed: 'it shows a link that works',
    access: inOrganization('can-manage-users'),
    params: organizationInPath,
    query: membershipQuery,
    body: invitationBody,
    returns: { 201: documentSchema(membershipSchema) },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const teamIds = call.body.relationships.teams?.map(({ id }) => id ?? '') ?? []
      const invitation = { email: call.body.attributes.email, teamIds: [...new Set(teamIds)] }
      const { membership: made, linkPath } = await invite(call.deps, authorOf(call), call.subject, invitation)
      const [membership] = await listMembershipsById(call.deps.db, [made.id])
      if (!membership) throw hidden()
      const include = new Set([...call.query.include, 'user'])
      const { resource, included } = await renderMembership(call, include, membership)
      const once = linkPath === undefined ? {} : { 'invitation-url': `${call.request.origin}${linkPath}` }
      const shownOnce = { ...resource, attributes: { ...resource.attributes, ...once } }
      return answerCreated(call, shownOnce, { included })
    },
  }),
  endpoint({
    id: 'memberships.mine',
    route: 'GET /organization-memberships',
    summary: 'List the organizations you belong to.',
    access: anyPerson(),
    query: membershipsQuery,
    returns: { 200: pageSchema(membershipSchema) },
    fails: ['missing'],
    handle: (call) => answerMemberships(call, { userId: call.subject.id }),
  }),
  endpoint({
    id: 'memberships.show',
    route: 'GET /organization-memberships/:membershipId',
    summary: 'Read a membership.',
    access: onReadableMembership,
    params: byId,
    query: membershipQuery,
    returns: { 200: documentSchema(membershipSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { resource, included } = await renderMembership(call, call.query.include, call.subject.resource)
      return answerOne(call, resource, { included })
    },
  }),
  endpoint({
    id: 'memberships.delete',
    route: 'DELETE /organization-memberships/:membershipId',
    summary: 'Remove a user from an organization, or leave it yourself.',
    access: onRemovableMembership,
    params: byId,
    returns: { 204: null },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      await removeMembership(call.deps, authorOf(call), call.subject.resource)
      return nothing()
    },
  }),
])
