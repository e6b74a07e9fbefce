import { toIsoNano } from '../../../../kernel/clock.ts'
import { failure } from '../../../../kernel/failure.ts'
import { fields } from '../../../../kit/bodies.ts'
import type { Deps } from '../../../../kit/deps.ts'
import {
  acl,
  type Call,
  defineSystemEndpoints,
  type Endpoint,
  endpoint,
  model,
  Type,
} from '../../../../kit/endpoint.ts'
import { KeyList, WarningsAlone } from '../../../../kit/envelope.ts'
import { field } from '../../../../kit/fields.ts'
import { listReply, listTerms } from '../../../../kit/list.ts'
import { requesterOf } from '../../../../kit/removals/index.ts'
import { data, nothing, type Reply } from '../../../../kit/reply.ts'
import { secondsLeft, type Token } from '../records/token.ts'
import { requestTidy, revokeByPath, revokeToken } from '../revoking/revocation-actions.ts'
import { leaseIdOf, readLeases, tokenOfLease } from './lease-actions.ts'

const LeaseField = Type.Object({ lease_id: field.text('Id of the lease.') })
const RevokeFields = Type.Object({
  lease_id: field.text('Id of the lease.'),
  sync: field.flag('Ignored: the tokens are dead when the answer arrives.'),
})
const SyncField = Type.Object({
  sync: field.flag('Ignored: the tokens are dead when the answer arrives.'),
})
const leaseParam = { lease_id: { description: 'Id of the lease.', example: 'auth/cert/login/Zk3…' } } as const
const prefixParam = { prefix: { description: 'Path under which leases are revoked.', example: 'auth/cert' } } as const

/** The token of a lease; undefined if there is no lease with that id. */
async function tokenAt(deps: Deps, leaseId: string | undefined): Promise<Token | undefined> {
  if (!leaseId) throw failure('invalid', 'lease.missing-id', 'lease_id must be specified')
  return await tokenOfLease(deps, leaseId)
}

/** Clients recognise an unknown lease by these texts, which differ from call to call. */
const unknownText = { lookup: 'invalid lease', renew: 'lease not found' } as const

async function leaseOf(deps: Deps, leaseId: string | undefined, call: keyof typeof unknownText): Promise<Token> {
  const token = await tokenAt(deps, leaseId)
  if (token) return token
  throw failure('invalid', 'lease.unknown', unknownText[call])
}

async function renew(deps: Deps, leaseId: string | undefined): Promise<Reply> {
  await leaseOf(deps, leaseId, 'renew')
  const text = 'the lease of a token is renewed with the token, at auth/token/renew'
  throw failure('invalid', 'lease.of-token', text)
}

/** Revoking an unknown lease succeeds: it counts as revoked already. */
async function revoke({ deps, caller }: RevokeCall, leaseId: string | undefined): Promise<Reply> {
  const token = await tokenAt(deps, leaseId)
  if (token) await revokeToken(deps, token.id, requesterOf(caller))
  return nothing()
}

async function revokePrefix({ deps, caller, params }: RevokeCall): Promise<Reply> {
  await revokeByPath(deps, params.prefix ?? '', requesterOf(caller))
  return nothing()
}

type RevokeCall = Pick<Call, 'deps' | 'caller' | 'params'>

const leaseData = (deps: Deps, token: Token): Record<string, unknown> => ({
  id: leaseIdOf(token),
  issue_time: toIsoNano(token.createdAt),
  expire_time: token.expiresAt === undefined ? null : toIsoNano(token.expiresAt),
  last_renewal: token.lastRenewedAt === undefined ? null : toIsoNano(token.lastRenewedAt),
  renewable: token.renewable,
  ttl: secondsLeft(token.expiresAt, deps.clock.now()),
})

const LeaseShape = model('Lease', {
  id: Type.String({ description: 'Id of the lease.' }),
  issue_time: Type.String({ description: 'When it was created.' }),
  expire_time: Type.Union([Type.String(), Type.Null()], { description: 'When it expires.' }),
  last_renewal: Type.Union([Type.String(), Type.Null()], { description: 'When it was last renewed.' }),
  renewable: Type.Boolean({ description: 'Whether it can be renewed.' }),
  ttl: Type.Integer({ description: 'Seconds left.' }),
})

const revokeBase = { access: acl(), returns: { 204: null }, fails: ['invalid'] } as const
const revokePrefixBase = { ...revokeBase, access: acl({ sudo: true }), params: prefixParam } as const
const listBase = { ...listTerms, access: acl({ sudo: true }), returns: { 200: KeyList } } as const
const TypeField = Type.Object({ type: field.text('Only `irrevocable` is supported.', { examples: ['irrevocable'] }) })

const leaseCount = Type.Integer({ description: 'Number of leases.' })

/** Each address, and the older one beside it. */
const addresses = <T>(make: (base: '/leases' | '', suffix: string) => T): T[] => [make('/leases', ''), make('', '-old')]

/** Leases: how long issued tokens live. Every lease belongs to a token. */
export const leaseEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    id: 'leases.lookup',
    route: 'POST /leases/lookup',
    summary: 'Look up a lease.',
    access: acl(),
    body: fields(LeaseField),
    returns: { 200: LeaseShape },
    fails: ['invalid'],
    example: { request: { lease_id: 'auth/cert/login/Zk3…' } },
    handle: async ({ deps, body }) => data(leaseData(deps, await leaseOf(deps, body.lease_id, 'lookup'))),
  }),
  endpoint({
    ...listBase,
    id: 'leases.list-all',
    route: 'LIST /leases/lookup',
    summary: 'List the paths that have leases.',
    handle: (call) => listReply(call, (db) => readLeases(call.deps, db, '')),
  }),
  endpoint({
    ...listBase,
    id: 'leases.list',
    route: 'LIST /leases/lookup/*prefix',
    summary: 'List the leases below a path.',
    params: { prefix: { description: 'Path whose leases are listed.', example: 'auth/cert/login' } },
    handle: (call) => listReply(call, (db) => readLeases(call.deps, db, call.params.prefix ?? '')),
  }),
  ...addresses((base, suffix) =>
    endpoint({
      id: `leases.renew${suffix}`,
      route: `POST ${base}/renew`,
      summary: 'Renew a lease.',
      description: 'Leases of tokens are renewed with the token.',
      access: acl(),
      body: fields(Type.Object({ ...LeaseField.properties, increment: field.seconds('Ignored.') })),
      fails: ['invalid'],
      handle: ({ deps, body }) => renew(deps, body.lease_id),
    }),
  ),
  ...addresses((base, suffix) =>
    endpoint({
      id: `leases.renew-by-path${suffix}`,
      route: `POST ${base}/renew/*lease_id`,
      summary: 'Renew a lease.',
      description: 'Leases of tokens are renewed with the token.',
      access: acl(),
      params: leaseParam,
      body: fields(Type.Object({ increment: field.seconds('Ignored.') })),
      fails: ['invalid'],
      handle: ({ deps, params }) => renew(deps, params.lease_id),
    }),
  ),
  ...addresses((base, suffix) =>
    endpoint({
      ...revokeBase,
      id: `leases.revoke${suffix}`,
      route: `POST ${base}/revoke`,
      summary: 'Revoke a lease.',
      body: fields(RevokeFields),
      example: { request: { lease_id: 'auth/cert/login/Zk3…', sync: true } },
      handle: (call) => revoke(call, call.body.lease_id),
    }),
  ),
  ...addresses((base, suffix) =>
    endpoint({
      ...revokeBase,
      id: `leases.revoke-by-path${suffix}`,
      route: `POST ${base}/revoke/*lease_id`,
      summary: 'Revoke a lease.',
      params: leaseParam,
      body: fields(SyncField),
      handle: (call) => revoke(call, call.params.lease_id),
    }),
  ),
  ...addresses((base, suffix) =>
    endpoint({
      ...revokePrefixBase,
      id: `leases.revoke-prefix${suffix}`,
      route: `POST ${base}/revoke-prefix/*prefix`,
      summary: 'Revoke all leases below a path.',
      body: fields(SyncField),
      handle: (call) => revokePrefix(call),
    }),
  ),
  ...addresses((base, suffix) =>
    endpoint({
      ...revokePrefixBase,
      id: `leases.revoke-force${suffix}`,
      route: `POST ${base}/revoke-force/*prefix`,
      summary: 'Revoke all leases below a path, ignoring errors.',
      handle: (call) => revokePrefix(call),
    }),
  ),
  endpoint({
    id: 'leases.tidy',
    route: 'POST /leases/tidy',
    summary: 'Clean up the remains of leases that are no longer valid.',
    access: acl(),
    returns: { 202: WarningsAlone },
    handle: async ({ deps, warn }) => {
      await requestTidy(deps)
      warn('Tidy operation runs in the background; its result is reported in the server log.')
      return data({}, 202)
    },
  }),
  endpoint({
    id: 'leases.count',
    route: 'GET /leases/count',
    summary: 'Count the leases that could not be revoked.',
    access: acl(),
    query: TypeField,
    returns: {
      200: Type.Object({
        lease_count: leaseCount,
        counts: Type.Record(Type.String(), Type.Integer(), { description: 'Number of leases by mount.' }),
      }),
    },
    fails: ['missing'],
    // Revoking a token only touches the store, so no lease is irrevocable.
    handle: ({ query }) => (query.type === 'irrevocable' ? data({ lease_count: 0, counts: {} }) : nothing()),
  }),
  endpoint({
    id: 'leases.irrevocable',
    route: 'GET /leases',
    summary: 'List the leases that could not be revoked.',
    access: acl({ sudo: true }),
    query: TypeField,
    returns: {
      200: Type.Object({ lease_count: leaseCount, leases: Type.Array(Type.Unknown(), { description: 'The leases.' }) }),
    },
    fails: ['missing'],
    handle: ({ query }) => (query.type === 'irrevocable' ? data({ lease_count: 0, leases: [] }) : nothing()),
  }),
])
