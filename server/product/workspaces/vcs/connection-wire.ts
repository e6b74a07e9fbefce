import { vcsProviders } from '../../../compat/vcs-providers.ts'
import {
  attribute,
  changing,
  type Resource,
  relation,
  resourceBody,
  resourceSchema,
  shown,
  toMany,
  toOne,
} from '../../../kit/jsonapi/index.ts'
import { facts, origin, settings, tokenFacts } from './connection-fields.ts'
import { type OauthClient, type OauthToken, privateKeyProblem } from './connection-rules.ts'

const secretText = {
  maxLength: 64 * 1024,
  check: (text: string) => (text.trim() === '' ? "can't be blank" : undefined),
}

const tokenString = attribute.text('A token created at the provider. It is stored encrypted and never shown again.', {
  ...secretText,
  required: true,
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

/** The body that makes a connection. */
export const newClientBody = resourceBody('oauth-clients', {
  attributes: {
    ...settings.fields,
    ...origin.fields,
    oauthTokenString: tokenString,
    organizationScoped,
  },
  relationships: scopes,
})

/** The body that changes a connection. */
export const changedClientBody = resourceBody('oauth-clients', {
  attributes: changing({ ...settings.fields, oauthTokenString: tokenString, organizationScoped }),
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
export const clientSchema = resourceSchema('oauth-clients', {
  attributes: {
    ...settings.shown,
    ...origin.shown,
    ...facts.shown,
    'service-provider-display-name': shown.text('Display name of the provider.'),
    'callback-url': shown.maybeText('Always null: connections are created with a token.'),
    'connect-path': shown.maybeText('Always null: connections are created with a token.'),
    key: shown.maybeText('Always null.'),
    'rsa-public-key': shown.maybeText('Always null.'),
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
export const toClientResource = (
  client: OauthClient,
  tokens: readonly OauthToken[],
  organizationName: string,
): Resource => ({
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
    key: null,
    'rsa-public-key': null,
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
