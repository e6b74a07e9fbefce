import { failure } from '../../../../kernel/failure.ts'
import { fields } from '../../../../kit/bodies.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { acl, endpoint, type MountEndpoint, Type } from '../../../../kit/endpoint.ts'
import { WarningsAlone } from '../../../../kit/envelope.ts'
import { field } from '../../../../kit/fields.ts'
import { requesterOf } from '../../../../kit/removals/index.ts'
import { data, nothing, type Reply } from '../../../../kit/reply.ts'
import { callerToken } from '../caller-token.ts'
import { findLivingBy } from '../known-token-actions.ts'
import { isBatchText, tokenId } from '../records/token-text-actions.ts'
import { requestTidy, revokeAndOrphanChildren, revokeToken } from './revocation-actions.ts'

const TokenField = Type.Object({ token: field.text('The token to revoke.') })

function idOf(deps: Deps, text: string | undefined): string {
  if (!text) throw failure('invalid', 'token.missing', 'missing token')
  if (isBatchText(text)) throw failure('invalid', 'token.batch', 'batch tokens cannot be revoked')
  return tokenId(deps, text)
}

const common = { access: acl(), returns: { 204: null }, fails: ['invalid', 'forbidden'] } as const

/** The endpoints that end tokens. */
export const revocationEndpoints: readonly MountEndpoint[] = [
  endpoint({
    ...common,
    id: 'tokens.revoke',
    route: 'POST /revoke',
    summary: 'Revoke a token and all its descendants.',
    body: fields(TokenField),
    example: { request: { token: 'hfs.…' } },
    handle: async ({ deps, body, caller }) => {
      await revokeToken(deps, idOf(deps, body.token), requesterOf(caller))
      return nothing()
    },
  }),
  endpoint({
    ...common,
    id: 'tokens.revoke-self',
    route: 'POST /revoke-self',
    summary: "Revoke the caller's token and all its descendants.",
    // Clients send the token along; it is ignored, since the caller's own token is meant.
    body: fields(Type.Object({ token: field.text('Ignored.') })),
    handle: async ({ deps, request, caller }) => {
      callerToken(caller)
      await revokeToken(deps, idOf(deps, request.presentedToken), requesterOf(caller))
      return nothing()
    },
  }),
  endpoint({
    ...common,
    id: 'tokens.revoke-accessor',
    route: 'POST /revoke-accessor',
    summary: 'Revoke a token by its accessor.',
    body: fields(Type.Object({ accessor: field.text('The accessor of the token.') })),
    example: { request: { accessor: 'q6kZ0c5mJ1sWn8rT2vYb4xHd' } },
    handle: async ({ deps, body, caller, warn }) => {
      if (!body.accessor) throw failure('invalid', 'token.no-accessor', 'missing accessor')
      const token = await findLivingBy(deps, { accessor: body.accessor })
      if (token) await revokeToken(deps, token.id, requesterOf(caller))
      else warn('No token found with this accessor')
      return nothing()
    },
  }),
  endpoint({
    ...common,
    id: 'tokens.revoke-orphan',
    route: 'POST /revoke-orphan',
    summary: 'Revoke a token; its children stay valid as orphans.',
    access: acl({ sudo: true }),
    body: fields(TokenField),
    example: { request: { token: 'hfs.…' } },
    handle: async ({ deps, body }) => {
      await revokeAndOrphanChildren(deps, idOf(deps, body.token))
      return nothing()
    },
  }),
  endpoint({
    id: 'tokens.tidy',
    route: 'POST /tidy',
    summary: 'Clean up the remains of tokens that are no longer valid.',
    description: 'This also runs periodically in the background; the call starts it now.',
    access: acl(),
    returns: { 202: WarningsAlone },
    handle: async ({ deps, warn }): Promise<Reply> => {
      await requestTidy(deps)
      warn('Tidy operation runs in the background; its result is reported in the server log.')
      return data({}, 202)
    },
  }),
]
