import {
  canInOrganization,
  inOrganization,
  onResource,
  organizationInPath,
  type PermittedResource,
} from '../../../access/permissions/index.ts'
import { isId } from '../../../kernel/ids.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import { type Access, defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import {
  answerOne,
  answerPage,
  documentSchema,
  listQuery,
  pageSchema,
  rangeOf,
  requireSameId,
  showQuery,
} from '../../../kit/jsonapi/index.ts'
import { nothing } from '../../../kit/reply.ts'
import type { OauthToken } from './vcs-client.ts'
import { removeToken, setTokenSshKey } from './vcs-client-actions.ts'
import { changedTokenBody, tokenSchema, toTokenResource } from './vcs-client-endpoints.ts'
import { listTokens, loadToken } from './vcs-client-store.ts'

const byId = { oauthTokenId: { description: 'Identifier of the token.', example: 'ot-1111111111111111' } }

const onToken = (right: 'can-traverse' | 'can-update-oauth'): Access<PermittedResource<OauthToken>> =>
  onResource({
    name: `organization:${right}`,
    load: async ({ deps, params: { oauthTokenId = '' } }) =>
      isId('ot', oauthTokenId) ? await loadToken(deps.db, oauthTokenId) : undefined,
    allows: (grants) => canInOrganization(grants, right),
  })

/** Tokens of connections to version control. Their texts can be written, but never read. */
export const tokenEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'oauth-tokens.list',
    route: 'GET /organizations/:organization/oauth-tokens',
    summary: 'List the tokens of all version control connections, without their values.',
    access: inOrganization('can-traverse'),
    params: organizationInPath,
    query: listQuery({}),
    returns: { 200: pageSchema(tokenSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const page = rangeOf(call.query.page)
      const { tokens, total } = await listTokens(call.deps.db, call.subject.organizationId, page)
      return answerPage(call, { resources: tokens.map(toTokenResource), total })
    },
  }),
  endpoint({
    id: 'oauth-tokens.show',
    route: 'GET /oauth-tokens/:oauthTokenId',
    summary: 'Read a version control token, without its value.',
    access: onToken('can-traverse'),
    params: byId,
    query: showQuery(),
    returns: { 200: documentSchema(tokenSchema) },
    fails: ['missing'],
    handle: (call) => answerOne(call, toTokenResource(call.subject.resource)),
  }),
  endpoint({
    id: 'oauth-tokens.update',
    route: 'PATCH /oauth-tokens/:oauthTokenId',
    summary: 'Set the SSH key of a version control token.',
    access: onToken('can-update-oauth'),
    params: byId,
    query: showQuery(),
    body: changedTokenBody,
    returns: { 200: documentSchema(tokenSchema) },
    fails: ['missing', 'invalid', 'conflict'],
    handle: async (call) => {
      const { resource } = call.subject
      requireSameId(call.body, resource.id)
      const changed = await setTokenSshKey(call.deps, authorOf(call), resource, call.body.attributes.sshKey)
      return answerOne(call, toTokenResource(changed))
    },
  }),
  endpoint({
    id: 'oauth-tokens.delete',
    route: 'DELETE /oauth-tokens/:oauthTokenId',
    summary: 'Delete a version control token; workspaces lose the repositories linked through it.',
    access: onToken('can-update-oauth'),
    params: byId,
    returns: { 204: null },
    fails: ['missing'],
    handle: async (call) => {
      await removeToken(call.deps, authorOf(call), call.subject.resource)
      return nothing()
    },
  }),
])
