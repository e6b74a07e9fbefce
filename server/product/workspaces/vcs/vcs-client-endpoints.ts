import {
  canInOrganization,
  inOrganization,
  onResource,
  organizationInPath,
  type PermittedResource,
} from '../../../access/permissions/index.ts'
import { signedProviders, vcsProviders } from '../../../compat/vendor-names.ts'
import type { Fault } from '../../../kernel/failure.ts'
import { isId } from '../../../kernel/ids.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import { type Access, defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import {
  allSchema,
  answerAll,
  answerCreated,
  answerOne,
  answerPage,
  attribute,
  changing,
  documentSchema,
  listQuery,
  pageSchema,
  type Resource,
  rangeOf,
  relation,
  requireSameId,
  resourceBody,
  resourceSchema,
  shown,
  showQuery,
  toMany,
  toOne,
  type Values,
} from '../../../kit/jsonapi/index.ts'
import { nothing } from '../../../kit/reply.ts'
import { type OauthClient, type OauthToken, privateKeyProblem } from './vcs-client.ts'
import { changeConnection, createConnection, refuseScopes, removeConnection } from './vcs-client-actions.ts'
import { facts, origin, settings, tokenFacts } from './vcs-client-fields.ts'
import { listClients, listTokensOf, loadClient } from './vcs-client-store.ts'

const secretText = {
  maxLength: 64 * 1024,
  check: (text: string) => (text.trim() === '' ? "can't be blank" : undefined),
}

const tokenString = attribute.text('A token created at the provider. It is stored encrypted and never shown again.', {
  ...secretText,
  required: true,
})

const secret = attribute.text('The private key that signs requests. It is stored encrypted and never shown again.', {
  ...secretText,
  nullable: true,
  emptyIsNull: true,
})

const organizationScoped = attribute.flag('Always true: every workspace of the organization may use it.', {
  default: true,
  check: (value) => (value ? undefined : 'must be true; a connection is for the whole organization'),
})

/** Neither can be chosen; they are read so that they are refused rather than dropped. */
const scopes = {
  agentPool: relation.one('agent-pools', 'Refused unless null: providers are not reached through agents.', {
    nullable: true,
  }),
  projects: relation.items('projects', 'Refused unless empty: a connection is for the whole organization.'),
} as const

const newAttributes = {
  ...settings.fields,
  ...origin.fields,
  oauthTokenString: attribute.text(
    'A token created at the provider. It is stored encrypted and never shown again. Providers that take signed requests ' +
      'can do with `key`, `secret` and `rsa-public-key` instead.',
    { ...secretText, nullable: true, emptyIsNull: true },
  ),
  secret,
  organizationScoped,
} as const

/** What is missing to reach the provider: a token, or what signs requests where the provider takes those. */
function credentialFaults(sent: Partial<Values<typeof newAttributes>>): Fault[] {
  if (sent.oauthTokenString) return []
  const blank = (name: string, label: string) => ({
    detail: `${label} can't be blank`,
    pointer: `/data/attributes/${name}`,
  })
  if (!signedProviders.includes(sent.serviceProvider ?? '')) return [blank('oauth-token-string', 'Oauth token string')]
  return [
    ...(sent.key ? [] : [blank('key', 'Key')]),
    ...(sent.secret ? [] : [blank('secret', 'Secret')]),
    ...(sent.rsaPublicKey ? [] : [blank('rsa-public-key', 'Rsa public key')]),
  ]
}

/** The body that makes a connection. */
const newClientBody = resourceBody('oauth-clients', {
  attributes: newAttributes,
  relationships: scopes,
  check: ({ attributes }) => credentialFaults(attributes),
})

/** The body that changes a connection. */
const changedClientBody = resourceBody('oauth-clients', {
  attributes: changing({ ...settings.fields, oauthTokenString: tokenString, secret, organizationScoped }),
  relationships: scopes,
})

/** The body that gives a token an SSH key. */
export const changedTokenBody = resourceBody('oauth-tokens', {
  attributes: {
    sshKey: attribute.text('A private key for submodules. It is stored encrypted and never shown again.', {
      ...secretText,
      check: privateKeyProblem,
    }),
  },
})

/** A connection as answers show it. */
const clientSchema = resourceSchema('oauth-clients', {
  attributes: {
    ...settings.shown,
    ...origin.shown,
    ...facts.shown,
    'service-provider-display-name': shown.text('Display name of the provider.'),
    'callback-url': shown.maybeText('Always null: nobody has to visit the provider.'),
    'connect-path': shown.maybeText('Always null: nobody has to visit the provider.'),
    secret: shown.maybeText('Always null: it is not shown.'),
    'organization-scoped': shown.flag('Whether every workspace may use it.'),
  },
  relationships: { organization: 'Its organization.', 'oauth-tokens': 'Its tokens; workspaces name one of them.' },
})

/** A token as answers show it. */
export const tokenSchema = resourceSchema('oauth-tokens', {
  attributes: {
    ...tokenFacts.shown,
    'service-provider-user': shown.text('Always empty: the provider is not queried.'),
  },
  relationships: { 'oauth-client': 'The connection it belongs to.' },
})

/** A connection as a resource. */
const toClientResource = (client: OauthClient, tokens: readonly OauthToken[], organizationName: string): Resource => ({
  type: 'oauth-clients',
  id: client.id,
  attributes: {
    ...settings.toDocument(client),
    ...origin.toDocument(client),
    ...facts.toDocument(client),
    'service-provider-display-name':
      (vcsProviders as Readonly<Record<string, string>>)[client.serviceProvider] ?? client.serviceProvider,
    'callback-url': null,
    'connect-path': null,
    secret: null,
    'organization-scoped': true,
  },
  relationships: {
    organization: toOne('organizations', organizationName, `/api/v2/organizations/${organizationName}`),
    'oauth-tokens': toMany(
      'oauth-tokens',
      tokens.filter(({ clientId }) => clientId === client.id).map(({ id }) => id),
      `/api/v2/oauth-clients/${client.id}/oauth-tokens`,
    ),
  },
  links: { self: `/api/v2/oauth-clients/${client.id}` },
})

/** A token as a resource. */
export const toTokenResource = (token: OauthToken): Resource => ({
  type: 'oauth-tokens',
  id: token.id,
  attributes: {
    ...tokenFacts.toDocument(token),
    // Clients expect a text here, and some fail on null.
    'service-provider-user': '',
  },
  relationships: {
    'oauth-client': toOne('oauth-clients', token.clientId, `/api/v2/oauth-clients/${token.clientId}`),
  },
  links: { self: `/api/v2/oauth-tokens/${token.id}` },
})

const byId = { clientId: { description: 'Identifier of the connection.', example: 'oc-1111111111111111' } }

/** Everybody who can see the organization can choose among its connections; managing them is a right of its own. */
const onClient = (right: 'can-traverse' | 'can-update-oauth'): Access<PermittedResource<OauthClient>> =>
  onResource({
    name: `organization:${right}`,
    load: async ({ deps, params: { clientId = '' } }) =>
      isId('oc', clientId) ? await loadClient(deps.db, clientId) : undefined,
    allows: (grants) => canInOrganization(grants, right),
  })

/** Connections to version control. */
export const clientEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'oauth-clients.list',
    route: 'GET /organizations/:organization/oauth-clients',
    summary: 'List the version control connections of an organization.',
    access: inOrganization('can-traverse'),
    params: organizationInPath,
    query: listQuery({ include: ['oauth_tokens'] }),
    returns: { 200: pageSchema(clientSchema) },
    fails: ['missing', 'malformed'],
    handle: async (call) => {
      const { subject: grants, query, deps } = call
      const { clients, total } = await listClients(deps.db, grants.organizationId, rangeOf(query.page))
      const tokens = await listTokensOf(
        deps.db,
        clients.map(({ id }) => id),
      )
      const resources = clients.map((client) => toClientResource(client, tokens, grants.organizationName))
      const included = query.include.has('oauth_tokens') ? { included: tokens.map(toTokenResource) } : {}
      return answerPage(call, { resources, total }, included)
    },
  }),
  endpoint({
    id: 'oauth-clients.create',
    route: 'POST /organizations/:organization/oauth-clients',
    summary: 'Create a version control connection with a token from the provider.',
    description: 'A connection with a key pair in place of the token is stored, but workspaces cannot use it.',
    access: inOrganization('can-update-oauth'),
    params: organizationInPath,
    query: showQuery(),
    body: newClientBody,
    returns: { 201: documentSchema(clientSchema) },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const { attributes } = call.body
      const { organizationId, organizationName } = call.subject
      await refuseScopes(call.deps, organizationId, call.body.relationships)
      const requested = {
        ...settings.made(attributes),
        ...origin.made(attributes),
        token: attributes.oauthTokenString,
        secret: attributes.secret,
      }
      const made = await createConnection(call.deps, authorOf(call), organizationId, requested)
      return answerCreated(call, toClientResource(made.client, made.tokens, organizationName))
    },
  }),
  endpoint({
    id: 'oauth-clients.show',
    route: 'GET /oauth-clients/:clientId',
    summary: 'Read a version control connection.',
    access: onClient('can-traverse'),
    params: byId,
    query: showQuery({ include: ['oauth_tokens'] }),
    returns: { 200: documentSchema(clientSchema) },
    fails: ['missing', 'malformed'],
    handle: async (call) => {
      const { resource, grants } = call.subject
      const tokens = await listTokensOf(call.deps.db, [resource.id])
      const included = call.query.include.has('oauth_tokens') ? { included: tokens.map(toTokenResource) } : {}
      return answerOne(call, toClientResource(resource, tokens, grants.organizationName), included)
    },
  }),
  endpoint({
    id: 'oauth-clients.update',
    route: 'PATCH /oauth-clients/:clientId',
    summary: 'Rename a version control connection, move it to another address, or replace its token.',
    description:
      'Token and secret are for one address: a change of `http-url` or `api-url` needs those that are stored to be sent ' +
      'again, and removes the SSH key of the token.',
    access: onClient('can-update-oauth'),
    params: byId,
    query: showQuery(),
    body: changedClientBody,
    returns: { 200: documentSchema(clientSchema) },
    fails: ['missing', 'invalid', 'conflict'],
    handle: async (call) => {
      const { resource, grants } = call.subject
      requireSameId(call.body, resource.id)
      await refuseScopes(call.deps, resource.organizationId, call.body.relationships)
      const { attributes } = call.body
      const { oauthTokenString: token, secret } = attributes
      const requested = { settings: settings.given(attributes), token, secret }
      const changed = await changeConnection(call.deps, authorOf(call), resource, requested)
      return answerOne(call, toClientResource(changed.client, changed.tokens, grants.organizationName))
    },
  }),
  endpoint({
    id: 'oauth-clients.delete',
    route: 'DELETE /oauth-clients/:clientId',
    summary: 'Delete a version control connection; workspaces lose the repositories linked through it.',
    access: onClient('can-update-oauth'),
    params: byId,
    returns: { 204: null },
    fails: ['missing'],
    handle: async (call) => {
      await removeConnection(call.deps, authorOf(call), call.subject.resource)
      return nothing()
    },
  }),
  endpoint({
    id: 'oauth-clients.list-tokens',
    route: 'GET /oauth-clients/:clientId/oauth-tokens',
    summary: 'List the tokens of a version control connection, without their values.',
    access: onClient('can-traverse'),
    params: byId,
    query: showQuery(),
    returns: { 200: allSchema(tokenSchema) },
    fails: ['missing'],
    handle: async (call) =>
      answerAll(call, (await listTokensOf(call.deps.db, [call.subject.resource.id])).map(toTokenResource)),
  }),
])
