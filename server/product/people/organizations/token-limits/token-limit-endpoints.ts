import { inOrganization, organizationInPath } from '../../../../access/permissions/index.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import {
  allSchema,
  answerAll,
  attribute,
  type Resource,
  resourceBody,
  resourceSchema,
  shown,
  showQuery,
} from '../../../../kit/jsonapi/index.ts'
import type { Organization, TokenLimits } from '../organization.ts'
import { changeTokenLimits, organizationOf } from '../organization-actions.ts'
import { tokenLimits } from '../organization-fields.ts'

/** The limits by the kinds of tokens, as clients call them. */
const limitNames = {
  organization: 'organizationTokenTtl',
  team: 'teamTokenTtl',
  user: 'userTokenTtl',
  audit_trails: 'auditTrailsTokenTtl',
} as const satisfies Readonly<Record<string, keyof TokenLimits>>

type TokenKind = keyof typeof limitNames

const kinds = Object.keys(limitNames) as TokenKind[]

const type = 'organization-token-ttl-policies'

const entry = attribute.object('A limit.', {
  tokenType: attribute.choice('Whose tokens it is about.', kinds, { required: true }),
  maxTtlMs: { ...tokenLimits.fields.userTokenTtl, required: true as const },
})

/** The body that sets limits; those of kinds that it does not name stay. */
const limitsBody = resourceBody(type, {
  attributes: {
    tokenTtlPolicies: {
      ...attribute.list('Limits by kind of token; of two for one kind, the last one counts.', entry, {
        maxItems: 10 * kinds.length,
      }),
      required: true as const,
    },
  },
})

/** A limit as answers show it. */
const limitSchema = resourceSchema(type, {
  name: 'TokenLimit',
  attributes: {
    'token-type': shown.text('Whose tokens it is about: `organization`, `team`, `user` or `audit_trails`.'),
    'max-ttl-ms': shown.whole('How long such a token may last, in milliseconds.'),
  },
})

const toResources = (organization: Organization): Resource[] =>
  kinds.map((kind) => ({
    type,
    id: `${organization.id}-${kind}`,
    attributes: { 'token-type': kind, 'max-ttl-ms': organization[limitNames[kind]] },
  }))

const route = '/organizations/:organization/token-ttl-policies'

/** How long tokens may last that reach an organization. */
export const tokenLimitEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'organizations.token-limits',
    route: `GET ${route}`,
    summary: 'List how long new tokens may last.',
    description: 'The limits are in force while `max-ttl-enabled` of the organization is set.',
    access: inOrganization('can-traverse'),
    params: organizationInPath,
    query: showQuery(),
    returns: { 200: allSchema(limitSchema) },
    fails: ['missing'],
    handle: async (call) => answerAll(call, toResources(await organizationOf(call.deps, call.subject.organizationId))),
  }),
  endpoint({
    id: 'organizations.set-token-limits',
    route: `PATCH ${route}`,
    summary: 'Set how long new tokens may last; existing tokens stay as they are.',
    access: inOrganization('can-update'),
    params: organizationInPath,
    query: showQuery(),
    body: limitsBody,
    returns: { 200: allSchema(limitSchema) },
    fails: ['missing', 'invalid'],
    example: {
      request: {
        data: { type, attributes: { 'token-ttl-policies': [{ 'token-type': 'team', 'max-ttl-ms': 86_400_000 }] } },
      },
    },
    handle: async (call) => {
      const sent = call.body.attributes.tokenTtlPolicies
      const limits = Object.fromEntries(sent.map(({ tokenType, maxTtlMs }) => [limitNames[tokenType], maxTtlMs]))
      return answerAll(
        call,
        toResources(await changeTokenLimits(call.deps, authorOf(call), call.subject.organizationId, limits)),
      )
    },
  }),
])
