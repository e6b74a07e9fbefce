import {
  hidden,
  inOrganization,
  type OrganizationGrants,
  organizationInPath,
} from '../../../access/permissions/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import { type AnswerContext, answerOne, documentSchema, showQuery } from '../../../kit/jsonapi/index.ts'
import { nothing, type Reply } from '../../../kit/reply.ts'
import { lockArea } from '../../../storage/versions.ts'
import { authorOf } from '../../change-log/index.ts'
import { selfHosted } from './retention-access.ts'
import {
  type RetentionTarget,
  removeRetentionPolicy,
  retentionPolicyOf,
  setRetentionPolicy,
} from './retention-actions.ts'
import { retentionBody, retentionSchema, toRetentionResource, toTerms } from './retention-wire.ts'

const path = '/organizations/:organization/relationships/data-retention-policy'
const common = {
  params: organizationInPath,
  returns: { 200: documentSchema(retentionSchema) },
} as const

const targetOf = (grants: OrganizationGrants): RetentionTarget => ({
  organizationId: grants.organizationId,
  name: grants.organizationName,
  hold: (tx) => lockArea(tx, 'organizations'),
})

type SetCall = Call<Record<string, string>, AnswerContext['query'], Parameters<typeof toTerms>[0], OrganizationGrants>

async function set(call: SetCall): Promise<Reply> {
  const policy = await setRetentionPolicy(call.deps, authorOf(call), targetOf(call.subject), toTerms(call.body))
  return answerOne(call, toRetentionResource(policy, { type: 'organizations', id: call.subject.organizationName }))
}

const setBase = {
  ...common,
  access: selfHosted(inOrganization('can-update')),
  query: showQuery(),
  body: retentionBody,
  fails: ['missing', 'invalid'],
  handle: set,
} as const

/** The retention policy of an organization: for workspaces without one of their own. */
export const retentionEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    ...common,
    id: 'organizations.retention-policy',
    route: `GET ${path}`,
    summary: 'Read the default retention policy, which applies to workspaces without their own.',
    access: selfHosted(inOrganization('can-traverse')),
    query: showQuery(),
    fails: ['missing'],
    handle: async (call) => {
      const policy = await retentionPolicyOf(call.deps, call.subject.organizationId)
      if (!policy) throw hidden()
      return answerOne(call, toRetentionResource(policy, { type: 'organizations', id: call.subject.organizationName }))
    },
  }),
  endpoint({
    ...setBase,
    id: 'organizations.set-retention-policy',
    route: `POST ${path}`,
    summary: 'Set the default retention policy, which applies to workspaces without their own.',
  }),
  endpoint({
    ...setBase,
    id: 'organizations.change-retention-policy',
    route: `PATCH ${path}`,
    summary: 'Set the retention policy; same as POST.',
  }),
  endpoint({
    ...common,
    id: 'organizations.remove-retention-policy',
    route: `DELETE ${path}`,
    summary: 'Remove the default retention policy; succeeds even if there is none.',
    access: selfHosted(inOrganization('can-update')),
    returns: { 204: null },
    fails: ['missing'],
    handle: async (call) => {
      await removeRetentionPolicy(call.deps, authorOf(call), targetOf(call.subject))
      return nothing()
    },
  }),
])
