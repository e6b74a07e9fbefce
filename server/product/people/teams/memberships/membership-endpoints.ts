import {
  anyPerson,
  hidden,
  inOrganization,
  onResource,
  organizationInPath,
} from '../../../../access/permissions/index.ts'
import { isId } from '../../../../kernel/ids.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import { defineEndpoints, type Endpoint, endpoint, type RuleCall } from '../../../../kit/endpoint.ts'
import { answerCreated, answerOne, documentSchema, pageSchema } from '../../../../kit/jsonapi/index.ts'
import { nothing } from '../../../../kit/reply.ts'
import { onTeam } from '../team-endpoints.ts'
import { canSeeTeam } from '../team-rules.ts'
import { invite, removeMembership } from './membership-actions.ts'
import { answerMemberships, renderMembership } from './membership-answers.ts'
import { canEndMembership, type MembershipDetails } from './membership-rules.ts'
import { listMembershipsById } from './membership-store.ts'
import { invitationBody, membershipQuery, membershipSchema, membershipsQuery } from './membership-wire.ts'

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
