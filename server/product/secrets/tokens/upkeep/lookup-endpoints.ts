import { type Instant, toIsoNano } from '../../../../kernel/clock.ts'
import { failure } from '../../../../kernel/failure.ts'
import { fields } from '../../../../kit/bodies.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { acl, type Call, endpoint, type MountEndpoint, model, Type } from '../../../../kit/endpoint.ts'
import { KeyList } from '../../../../kit/envelope.ts'
import { field } from '../../../../kit/fields.ts'
import { listReply, listTerms } from '../../../../kit/list.ts'
import { data, type Reply } from '../../../../kit/reply.ts'
import { identityFactsOf } from '../../identity/index.ts'
import { tokenOfCaller } from '../authentication-actions.ts'
import { callerToken } from '../caller-token.ts'
import { findLiving, findLivingBy } from '../known-token-actions.ts'
import { hasUses, secondsLeft, type Token } from '../records/token.ts'
import { countLivingChildren, listAccessors, mostChildren } from '../records/token-list-store.ts'

const epochSeconds = (at: Instant): number => Math.floor(at / 1_000)

/** What a lookup says about a token besides its own facts. */
type LookupExtras = {
  /** The token's text; empty when it was looked up by its accessor. */
  readonly text: string
  readonly identityPolicies: readonly string[]
  readonly now: Instant
}

/** The facts of a token as a lookup shows them. The parent is never shown. */
function lookupData(token: Token, { text, identityPolicies, now }: LookupExtras): Record<string, unknown> {
  return {
    id: text,
    accessor: token.accessor,
    policies: token.policies,
    path: token.path,
    meta: Object.keys(token.metadata).length > 0 ? token.metadata : null,
    display_name: token.displayName,
    num_uses: shownUses(token),
    orphan: token.orphan,
    creation_time: epochSeconds(token.createdAt),
    creation_ttl: token.creationTtl,
    expire_time: token.expiresAt === undefined ? null : toIsoNano(token.expiresAt),
    ttl: secondsLeft(token.expiresAt, now),
    explicit_max_ttl: token.explicitMaxTtl,
    entity_id: token.entityId,
    type: token.type,
    renewable: token.renewable,
    issue_time: toIsoNano(token.createdAt),
    ...optionalFields(token, identityPolicies),
  }
}

/** Uses left; 0 would mean that they are not counted, so a token whose last use is this request shows -1. */
const shownUses = ({ numUses, usesLeft }: Token): number => (numUses === 0 ? 0 : usesLeft || -1)

function optionalFields(token: Token, identityPolicies: readonly string[]): Record<string, unknown> {
  const { role, period, boundCidrs, lastRenewedAt } = token
  return {
    ...(role === '' ? {} : { role }),
    ...(period === 0 ? {} : { period }),
    ...(boundCidrs.length === 0 ? {} : { bound_cidrs: boundCidrs }),
    ...(identityPolicies.length === 0 ? {} : { identity_policies: identityPolicies }),
    ...(lastRenewedAt === undefined
      ? {}
      : { last_renewal: toIsoNano(lastRenewedAt), last_renewal_time: epochSeconds(lastRenewedAt) }),
  }
}

/** A lookup's answer, for the reference. */
const LookupShape = model('TokenInfo', {
  id: Type.String({ description: 'The token; empty when it was looked up by its accessor.' }),
  accessor: Type.String({ description: 'Identifies the token without giving access.' }),
  policies: Type.Array(Type.String(), { description: 'Policies of the token itself.' }),
  identity_policies: Type.Optional(Type.Array(Type.String(), { description: 'Policies of its entity.' })),
  path: Type.String({ description: 'The path that created it.' }),
  meta: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], { description: 'Its metadata.' }),
  display_name: Type.String({ description: 'Its name in audit records.' }),
  num_uses: Type.Integer({ description: 'Uses left; 0 for no limit, -1 if this request is the last.' }),
  orphan: Type.Boolean({ description: 'Whether it is an orphan, that is, has no parent.' }),
  creation_time: Type.Integer({ description: 'Unix time in seconds.' }),
  creation_ttl: Type.Integer({ description: 'Lifetime it was created with, in seconds.' }),
  expire_time: Type.Union([Type.String(), Type.Null()], { description: 'When it expires; null for never.' }),
  ttl: Type.Integer({ description: 'Seconds left; 0 if it does not expire.' }),
  explicit_max_ttl: Type.Integer({ description: 'Maximum lifetime in seconds, regardless of renewals; 0 for none.' }),
  entity_id: Type.String({ description: 'The entity it acts for; may be empty.' }),
  type: Type.String({ description: '`service` or `batch`.' }),
  renewable: Type.Boolean({ description: 'Whether it can be renewed.' }),
  issue_time: Type.String({ description: 'When it was created.' }),
  role: Type.Optional(Type.String({ description: 'The token role it was created with.' })),
  period: Type.Optional(Type.Integer({ description: 'Lifetime that each renewal resets it to, in seconds.' })),
  bound_cidrs: Type.Optional(Type.Array(Type.String(), { description: 'Addresses it is accepted from.' })),
  last_renewal: Type.Optional(Type.String({ description: 'When it was last renewed.' })),
  last_renewal_time: Type.Optional(Type.Integer({ description: 'When it was last renewed, as Unix time in seconds.' })),
  children: Type.Optional(
    Type.Integer({
      description: `In a lookup by accessor: living tokens that were made with it, at most ${mostChildren}.`,
    }),
  ),
})

async function factsOf(deps: Deps, token: Token, text: string): Promise<Record<string, unknown>> {
  const { entity } = await identityFactsOf(deps, token.entityId)
  return lookupData(token, { text, identityPolicies: entity?.policies ?? [], now: deps.clock.now() })
}

type LookupCall = Pick<Call, 'caller' | 'deps' | 'request'>

async function lookup(call: LookupCall, text: string): Promise<Reply> {
  const { deps, request } = call
  if (text === '' || text === request.presentedToken) return lookupSelf(call)
  const token = await findLiving(deps, text)
  if (!token || !hasUses(token)) throw badToken()
  return data(await factsOf(deps, token, text))
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
    handle: async ({ deps, body }) => {
      const token = await tokenOfAccessor(deps, body.accessor)
      const children = await countLivingChildren(deps.reads, token.id, deps.clock.now())
      return data({ ...(await factsOf(deps, token, '')), children })
    },
  }),
  endpoint({
    ...listTerms,
    id: 'tokens.list-accessors',
    route: 'LIST /accessors',
    summary: 'List the accessors of all stored tokens.',
    access: acl({ sudo: true }),
    returns: { 200: KeyList },
    handle: (call) => {
      const now = call.deps.clock.now()
      return listReply(call, (db) => (place) => listAccessors(db, now, place))
    },
  }),
]

/** The living token of an accessor; refuses an accessor without one. */
export async function tokenOfAccessor(deps: Deps, accessor: string | undefined): Promise<Token> {
  if (!accessor) throw failure('invalid', 'token.no-accessor', 'missing accessor')
  const token = await findLivingBy(deps, { accessor })
  if (token && hasUses(token)) return token
  throw failure('invalid', 'token.unknown-accessor', 'invalid accessor')
}
