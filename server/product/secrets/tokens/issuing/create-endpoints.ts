import type { Static } from 'typebox'
import type { TokenRequest, TokenRole } from '../../../../access/token-plan.ts'
import { failure } from '../../../../kernel/failure.ts'
import { fields } from '../../../../kit/bodies.ts'
import { acl, type Call, endpoint, type MountEndpoint, model, Type } from '../../../../kit/endpoint.ts'
import { TokenAuth } from '../../../../kit/envelope.ts'
import { field } from '../../../../kit/fields.ts'
import { auth, type Reply } from '../../../../kit/reply.ts'
import { callerToken } from '../caller-token.ts'
import { findRole } from '../roles/token-role-store.ts'
import { createToken } from './create-actions.ts'

/**
 * The fields of a request for a token. Durations are parsed by the rules, so that faults are found in the order clients
 * expect.
 */
const CreateFields = model('CreateTokenBody', {
  id: field.text('Value of the token; requires root or sudo. A generated one is safer.'),
  policies: field.list("Policies of the token; by default those of the caller's token.", { examples: [['web']] }),
  meta: field.textMap('Metadata of the token, shown on lookup and in audit records.'),
  no_parent: field.flag("Create an orphan, which is not revoked with the caller's token; requires root or sudo."),
  no_default_policy: field.flag('Do not add the policy `default`.'),
  renewable: field.flag('Whether the token can be renewed; true by default.', { default: true }),
  ttl: field.any('Lifetime: seconds, or a duration such as `1h`.', { examples: ['1h'] }),
  lease: field.any('The old name of `ttl`.'),
  type: field.text('`service` (stored, the default) or `batch` (self-contained).', { examples: ['service'] }),
  explicit_max_ttl: field.any('Maximum lifetime, regardless of renewals.'),
  display_name: field.text('Name shown in audit records.'),
  num_uses: field.whole('How many times the token can be used; 0 for no limit.'),
  period: field.any('Create a periodic token: each renewal resets its lifetime to this value; requires root or sudo.'),
  entity_alias: field.text('Alias whose entity the token acts for; requires a role that allows it.'),
})

/** The request in the form that the rules take. */
const toTokenRequest = (body: Static<typeof CreateFields>): TokenRequest => ({
  id: body.id ?? '',
  policies: body.policies ?? [],
  noParent: body.no_parent ?? false,
  noDefaultPolicy: body.no_default_policy ?? false,
  renewable: body.renewable ?? true,
  type: body.type ?? '',
  displayName: body.display_name ?? '',
  numUses: body.num_uses ?? 0,
  entityAlias: body.entity_alias ?? '',
  ttl: body.ttl || body.lease,
  explicitMaxTtl: body.explicit_max_ttl,
  period: body.period,
})

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
