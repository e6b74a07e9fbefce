import { hidden, inOrganization, type OrganizationGrants } from '../../../access/permissions/index.ts'
import { type Access, type Call, defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import { answerOne, documentSchema, invalidAttribute, showQuery } from '../../../kit/jsonapi/index.ts'
import type { Reply } from '../../../kit/reply.ts'
import { nothing } from '../../../kit/reply.ts'
import { authorOf } from '../../change-log/index.ts'
import { removeRetentionPolicy, retentionPolicyOf, setRetentionPolicy } from './retention-actions.ts'
import type { RetentionTerms } from './retention-rules.ts'
import { retentionBody, retentionSchema, toRetentionResource, toTerms } from './retention-wire.ts'

/** Retention policies belong to the self-hosted edition; elsewhere their addresses do not exist. */
export function requireRetentionEdition({ deps }: Pick<Call, 'deps'>): void {
  if (deps.settings.edition !== 'self-hosted') throw hidden()
}

/** The terms of a body, or the fault that days are missing. */
export function termsOf(body: Parameters<typeof toTerms>[0]): RetentionTerms {
  const terms = toTerms(body)
  if (!terms) throw invalidAttribute('delete-older-than-n-days', "Delete older than n days can't be blank")
  return terms
}

const selfHosted = (right: 'can-traverse' | 'can-update'): Access<OrganizationGrants> => {
  const rule = inOrganization(right)
  if (rule.kind !== 'rule') return rule
  return {
    ...rule,
    check: async (call) => {
      const grants = await rule.check(call)
      requireRetentionEdition(call)
      return grants
    },
  }
}

const path = '/organizations/:organization/relationships/data-retention-policy'
const common = { params: { organization: { description: 'Name of the organization.' } } } as const
const document = { 200: documentSchema(retentionSchema) }

const targetOf = (grants: OrganizationGrants) => ({
  organizationId: grants.organizationId,
  name: grants.organizationName,
})

const set = async (
  call: Call<Record<string, string>, object, Parameters<typeof toTerms>[0], OrganizationGrants>,
): Promise<Reply> => {
  const policy = await setRetentionPolicy(call.deps, authorOf(call), targetOf(call.subject), termsOf(call.body))
  return answerOne(call, toRetentionResource(policy, { type: 'organizations', id: call.subject.organizationName }))
}

/** The retention policy of an organization: for workspaces without one of their own. */
export const retentionEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    ...common,
    id: 'organizations.retention-policy',
    route: `GET ${path}`,
    summary: 'Read the retention policy for workspaces without one of their own.',
    access: selfHosted('can-traverse'),
    query: showQuery(),
    returns: document,
    fails: ['missing'],
    handle: async (call) => {
      const policy = await retentionPolicyOf(call.deps, call.subject.organizationId)
      if (!policy) throw hidden()
      return answerOne(call, toRetentionResource(policy, { type: 'organizations', id: call.subject.organizationName }))
    },
  }),
  endpoint({
    ...common,
    id: 'organizations.set-retention-policy',
    route: `POST ${path}`,
    summary: 'Set the retention policy for workspaces without one of their own.',
    access: selfHosted('can-update'),
    query: showQuery(),
    body: retentionBody,
    returns: document,
    fails: ['missing', 'invalid'],
    handle: set,
  }),
  endpoint({
    ...common,
    id: 'organizations.change-retention-policy',
    route: `PATCH ${path}`,
    summary: 'The same as setting it.',
    access: selfHosted('can-update'),
    query: showQuery(),
    body: retentionBody,
    returns: document,
    fails: ['missing', 'invalid'],
    handle: set,
  }),
  endpoint({
    ...common,
    id: 'organizations.remove-retention-policy',
    route: `DELETE ${path}`,
    summary: 'Remove the retention policy; without one there is nothing to do.',
    access: selfHosted('can-update'),
    returns: { 204: null },
    fails: ['missing'],
    handle: async (call) => {
      await removeRetentionPolicy(call.deps, authorOf(call), targetOf(call.subject))
      return nothing()
    },
  }),
])
