import { defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import { answerNewToken, answerTokens, createTokenBase, listTokensBase } from '../../people/api-tokens/index.ts'
import { byId, onPool } from './pool-access.ts'

const onPoolTokens = onPool('can-update-agent-pools')

/** Tokens of executors. They are read and revoked like all other tokens. */
export const poolTokenEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    ...listTokensBase,
    id: 'agent-tokens.list',
    route: 'GET /agent-pools/:poolId/authentication-tokens',
    summary: 'List the tokens of an agent pool.',
    access: onPoolTokens,
    params: byId,
    handle: (call) => answerTokens(call, 'agent-pool', { type: 'agent-pools', id: call.subject.resource.id }),
  }),
  endpoint({
    ...createTokenBase,
    id: 'agent-tokens.create',
    route: 'POST /agent-pools/:poolId/authentication-tokens',
    summary: 'Create a token for the executors of an agent pool. It is shown only once and gives no other access.',
    access: onPoolTokens,
    params: byId,
    handle: (call) => {
      const { id, organizationId } = call.subject.resource
      const wanted = { owner: { kind: 'agent-pool', id }, organizationId, single: false } as const
      return answerNewToken(call, { type: 'agent-pools', id }, wanted)
    },
  }),
])
