import type { Static } from 'typebox'
import type { TokenRole } from '../../../../access/token-plan.ts'
import { failure } from '../../../../kernel/failure.ts'
import { fields } from '../../../../kit/bodies.ts'
import { acl, type Call, endpoint, type MountEndpoint, Type } from '../../../../kit/endpoint.ts'
import { TokenAuth } from '../../../../kit/envelope-schemas.ts'
import { auth, type Reply } from '../../../../kit/reply.ts'
import { callerToken } from '../caller-token.ts'
import { findRole } from '../roles/role-store.ts'
import { createToken } from './create-actions.ts'
import { CreateFields, toTokenRequest } from './create-wire.ts'

type CreateCall = Call<Record<string, string>, unknown, Static<typeof CreateFields>>
type Kind = { readonly role?: TokenRole; readonly orphanPath?: boolean }

async function create({ deps, caller, request, body, warn }: CreateCall, kind: Kind): Promise<Reply> {
  const made = await createToken(deps, {
    request: toTokenRequest(body),
    caller: callerToken(caller),
    facts: request,
    meta: body.meta ?? {},
    role: kind.role,
    orphanPath: kind.orphanPath ?? false,
  })
  for (const warning of made.warnings) warn(warning)
  return auth(made.auth, made.recorded)
}

const common = {
  access: acl(),
  body: fields(CreateFields, { aliases: { ttl: ['lease'] } }),
  returns: { 200: Type.Object({ auth: TokenAuth }) },
  fails: ['invalid', 'forbidden'],
} as const

/** The endpoints that make tokens. */
export const createEndpoints: readonly MountEndpoint[] = [
  endpoint({
    ...common,
    id: 'tokens.create',
    route: 'POST /create',
    summary: 'Create a token.',
    description:
      "The token is a child of the caller's token and is revoked with it. Its policies must be a subset of the " +
      "caller's, unless the caller has sudo.",
    example: { request: { policies: ['web'], ttl: '1h', meta: { owner: 'ann' } } },
    handle: (call) => create(call, {}),
  }),
  endpoint({
    ...common,
    id: 'tokens.create-orphan',
    route: 'POST /create-orphan',
    summary: 'Create a token without a parent.',
    example: { request: { policies: ['web'], ttl: '24h' } },
    handle: (call) => create(call, { orphanPath: true }),
  }),
  endpoint({
    ...common,
    id: 'tokens.create-by-role',
    route: 'POST /create/:role_name',
    summary: 'Create a token with a token role.',
    params: { role_name: { description: 'Name of the token role.', example: 'nightly' } },
    fails: ['invalid', 'forbidden', 'refused'],
    example: { request: { ttl: '30m' } },
    handle: async (call) => {
      const role = await findRole(call.deps.db, call.params.role_name ?? '')
      if (!role) throw failure('invalid', 'token-role.unknown', `unknown role '${call.params.role_name}'`)
      return create(call, { role })
    },
  }),
]
