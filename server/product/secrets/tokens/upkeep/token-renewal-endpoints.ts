import { failure } from '../../../../kernel/failure.ts'
import { fields } from '../../../../kit/bodies.ts'
import { acl, type Call, endpoint, type MountEndpoint, Type } from '../../../../kit/endpoint.ts'
import { TokenAuth } from '../../../../kit/envelope.ts'
import { field } from '../../../../kit/fields.ts'
import { auth, type Reply } from '../../../../kit/reply.ts'
import { identityFactsOf } from '../../identity/index.ts'
import { findLiving } from '../known-token-actions.ts'
import { hasUses, type Token } from '../records/token.ts'
import { authAnswer, recordedAuth } from '../records/token-fields.ts'
import { tokenOfAccessor } from './lookup-endpoints.ts'
import { renewToken } from './token-renewal-actions.ts'

const increment = field.seconds('Requested lifetime from now on; its limits may allow less.', {
  examples: ['1h'],
})

type RenewCall = Pick<Call, 'deps' | 'request' | 'warn'> & { readonly body: { increment?: number } }

async function renew({ deps, request, body, warn }: RenewCall, token: Token, text: string): Promise<Reply> {
  const renewed = await renewToken(deps, token, { increment: body.increment ?? 0, request })
  for (const warning of renewed.warnings) warn(warning)
  const { entity } = await identityFactsOf(deps, token.entityId)
  const identityPolicies = entity?.policies ?? []
  const answer = authAnswer(renewed.token, { text, identityPolicies, leaseDuration: renewed.ttl })
  return auth(answer, recordedAuth(renewed.token))
}

async function renewByText(call: RenewCall, wanted: string, own: string): Promise<Reply> {
  if (wanted === '') throw failure('invalid', 'token.missing', 'missing token')
  const token = await findLiving(call.deps, wanted)
  if (token && (wanted === own || hasUses(token))) return await renew(call, token, wanted)
  throw failure('invalid', 'token.unknown', 'token not found')
}

const common = {
  access: acl(),
  returns: { 200: Type.Object({ auth: TokenAuth }) },
  fails: ['invalid', 'forbidden'],
} as const

/** The endpoints that give tokens more time. */
export const renewalEndpoints: readonly MountEndpoint[] = [
  endpoint({
    ...common,
    id: 'tokens.renew',
    route: 'POST /renew',
    summary: 'Renew a token.',
    body: fields(Type.Object({ token: field.text('The token to renew.'), increment })),
    example: { request: { token: 'hfs.…', increment: '1h' } },
    handle: (call) => renewByText(call, call.body.token ?? '', call.request.presentedToken),
  }),
  endpoint({
    ...common,
    id: 'tokens.renew-self',
    route: 'POST /renew-self',
    summary: "Renew the caller's token.",
    // Clients send the token along; it is ignored, since the caller's own token is meant.
    body: fields(Type.Object({ token: field.text('Ignored.'), increment })),
    example: { request: { increment: '1h' } },
    handle: (call) => renewByText(call, call.request.presentedToken, call.request.presentedToken),
  }),
  endpoint({
    ...common,
    id: 'tokens.renew-accessor',
    route: 'POST /renew-accessor',
    summary: 'Renew a token by its accessor.',
    body: fields(Type.Object({ accessor: field.text('The accessor of the token.'), increment })),
    example: { request: { accessor: 'q6kZ0c5mJ1sWn8rT2vYb4xHd' } },
    handle: async (call) => await renew(call, await tokenOfAccessor(call.deps, call.body.accessor), ''),
  }),
]
