import { failure } from '../../../../kernel/failure.ts'
import { fields } from '../../../../kit/bodies.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { acl, type Call, endpoint, type MountEndpoint, Type } from '../../../../kit/endpoint.ts'
import { KeyList } from '../../../../kit/envelope-schemas.ts'
import { field } from '../../../../kit/fields.ts'
import { data, keys, type Reply } from '../../../../kit/reply.ts'
import { identityFactsOf } from '../../identity/index.ts'
import { callerToken } from '../caller-token.ts'
import { findLiving, findLivingBy } from '../known-tokens.ts'
import { hasUses, type Token } from '../records/token-rules.ts'
import { listLivingAccessors } from '../revoking/revocation-store.ts'
import { tokenOfCaller } from '../token-authentication.ts'
import { LookupShape, lookupData } from './lookup-wire.ts'

async function show(deps: Deps, token: Token, text: string): Promise<Reply> {
  const { entity } = await identityFactsOf(deps, token.entityId)
  return data(lookupData(token, { text, identityPolicies: entity?.policies ?? [], now: deps.clock.now() }))
}

type LookupCall = Pick<Call, 'caller' | 'deps' | 'request'>

async function lookup(call: LookupCall, text: string): Promise<Reply> {
  const { deps, request } = call
  if (text === '' || text === request.presentedToken) return lookupSelf(call)
  const token = await findLiving(deps, text)
  if (!token || !hasUses(token)) throw badToken()
  return await show(deps, token, text)
}

/** A token can look itself up even with its last use, which this request has taken. */
function lookupSelf({ caller, deps, request }: LookupCall): Reply {
  const self = callerToken(caller)
  const { identityPolicies } = self
  return data(
    lookupData(tokenOfCaller(self), { text: request.presentedToken, identityPolicies, now: deps.clock.now() }),
  )
}

const badToken = () => failure('forbidden', 'token.bad', 'bad token')

const TokenField = Type.Object({ token: field.text("The token to look up; by default the caller's own.") })
const common = {
  access: acl(),
  returns: { 200: LookupShape },
  fails: ['forbidden'],
} as const

/** The endpoints that show tokens. */
export const lookupEndpoints: readonly MountEndpoint[] = [
  endpoint({
    ...common,
    id: 'tokens.lookup',
    route: 'POST /lookup',
    summary: 'Look up a token.',
    body: fields(TokenField),
    example: { request: { token: 'hfs.…' } },
    handle: (call) => lookup(call, call.body.token ?? ''),
  }),
  endpoint({
    ...common,
    id: 'tokens.lookup-by-read',
    route: 'GET /lookup',
    summary: 'Look up a token.',
    query: TokenField,
    handle: (call) => lookup(call, call.query.token ?? ''),
  }),
  endpoint({
    ...common,
    id: 'tokens.lookup-self',
    route: 'GET /lookup-self',
    summary: "Look up the caller's token.",
    handle: lookupSelf,
  }),
  endpoint({
    ...common,
    id: 'tokens.lookup-self-by-write',
    route: 'POST /lookup-self',
    summary: "Look up the caller's token.",
    // Clients send the token along; it is ignored, since the caller's own token is meant.
    body: fields(Type.Object({ token: field.text('Ignored.') })),
    handle: lookupSelf,
  }),
  endpoint({
    ...common,
    id: 'tokens.lookup-accessor',
    route: 'POST /lookup-accessor',
    summary: 'Look up a token by its accessor.',
    description: 'The response does not contain the token itself: an accessor alone gives no access.',
    body: fields(Type.Object({ accessor: field.text('The accessor of the token.') })),
    fails: ['invalid', 'forbidden'],
    example: { request: { accessor: 'q6kZ0c5mJ1sWn8rT2vYb4xHd' } },
    handle: async ({ deps, body }) => await show(deps, await tokenOfAccessor(deps, body.accessor), ''),
  }),
  endpoint({
    id: 'tokens.list-accessors',
    route: 'LIST /accessors',
    summary: 'List the accessors of all stored tokens.',
    access: acl({ sudo: true }),
    returns: { 200: KeyList },
    fails: ['missing'],
    handle: async ({ deps }) => keys(await listLivingAccessors(deps.db, deps.clock.now())),
  }),
]

/** The living token of an accessor; refuses an accessor without one. */
export async function tokenOfAccessor(deps: Deps, accessor: string | undefined): Promise<Token> {
  if (!accessor) throw failure('invalid', 'token.no-accessor', 'missing accessor')
  const token = await findLivingBy(deps, { accessor })
  if (token && hasUses(token)) return token
  throw failure('invalid', 'token.unknown-accessor', 'invalid accessor')
}
