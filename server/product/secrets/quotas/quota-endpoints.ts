import { failure } from '../../../kernel/failure.ts'
import { fields } from '../../../kit/bodies.ts'
import type { Deps } from '../../../kit/deps.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, model, Type } from '../../../kit/endpoint.ts'
import { KeyList } from '../../../kit/envelope.ts'
import { field } from '../../../kit/fields.ts'
import { listTerms, namesReply, wantedOf } from '../../../kit/list.ts'
import { data, nothing } from '../../../kit/reply.ts'
import type { Quota } from './quota.ts'
import { removeQuota, writeQuota } from './quota-actions.ts'
import { loadQuotas } from './quota-store.ts'

const QuotaBody = Type.Object({
  path: field.text(
    'The path to limit, with everything below it; empty for all requests. Something must be mounted at, above or below it.',
  ),
  rate: field.any('Requests per interval and client address; greater than 0.'),
  interval: field.seconds('Length of the interval; 1s by default.'),
  block_interval: field.seconds('How long a client that exceeds the limit is blocked; 0 for as short as possible.'),
  inheritable: field.flag('Ignored: a quota for all requests covers the only namespace, others belong to their path.'),
  role: field.text('Always refused: roles have no quotas.'),
  group_by: field.text('How requests are grouped; only `ip`, by client address, is supported.'),
  type: field.text('Ignored.'),
})

const QuotaInfo = model('RateLimitQuota', {
  name: Type.String({ description: 'Name of the quota.' }),
  path: Type.String({ description: 'The limited path.' }),
  rate: Type.Number({ description: 'Requests per interval.' }),
  interval: Type.Integer({ description: 'Length of the interval in seconds.' }),
  block_interval: Type.Integer({ description: 'Seconds that a client is blocked after exceeding the limit.' }),
  group_by: Type.String({ description: 'Always `ip`: each client address is counted separately.' }),
  inheritable: Type.Boolean({ description: 'True if the quota is for all requests.' }),
})

const name = { name: { description: 'Name of the quota.', example: 'logins' } }
const common = { access: acl(), params: name } as const

const infoOf = (quota: Quota): Record<string, unknown> => ({
  name: quota.name,
  type: 'rate-limit',
  path: quota.path,
  rate: quota.rate,
  interval: quota.intervalSeconds,
  block_interval: quota.blockSeconds,
  group_by: 'ip',
  role: '',
  inheritable: quota.path === '',
})

const findQuota = async (deps: Deps, wanted: string): Promise<Quota | undefined> =>
  (await loadQuotas(deps.db)).find((quota) => quota.name === wanted)

function readRate(sent: unknown): number {
  const rate = typeof sent === 'string' ? Number(sent) : sent
  if (typeof rate === 'number' && Number.isFinite(rate) && rate > 0) return rate
  throw failure('invalid', 'quota.rate', "'rate' must be a number greater than 0.")
}

/** Limits on requests below a path. */
export const quotaEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    ...listTerms,
    id: 'quotas.list',
    route: 'LIST /quotas/rate-limit',
    summary: 'List rate limits.',
    access: acl(),
    returns: { 200: KeyList },
    handle: (call) =>
      namesReply(call, async (db, place) =>
        wantedOf(
          (await loadQuotas(db)).map(({ name }) => name),
          place,
        ),
      ),
  }),
  endpoint({
    ...common,
    id: 'quotas.read',
    route: 'GET /quotas/rate-limit/:name',
    summary: 'Read a rate limit.',
    returns: { 200: QuotaInfo },
    fails: ['missing'],
    handle: async ({ deps, params }) => {
      const quota = await findQuota(deps, params.name ?? '')
      return quota ? data(infoOf(quota)) : nothing()
    },
  }),
  endpoint({
    ...common,
    id: 'quotas.write',
    route: 'POST /quotas/rate-limit/:name',
    summary: 'Create or update a rate limit: it limits the requests of each client address below a path.',
    description:
      'Omitted fields are set to their defaults. Each node counts separately. Status routes are never limited.',
    body: fields(QuotaBody),
    returns: { 204: null },
    fails: ['invalid'],
    example: { request: { path: 'auth/cert/login', rate: 20, interval: '1s' } },
    handle: async ({ deps, params, body }) => {
      if (body.role) throw failure('invalid', 'quota.role', "'role' is not supported.")
      if (body.group_by && body.group_by !== 'ip') {
        throw failure(
          'invalid',
          'quota.group',
          "'group_by' can only be 'ip': each client address is counted on its own.",
        )
      }
      await writeQuota(deps, {
        name: params.name ?? '',
        path: (body.path ?? '').replace(/^\/+/, ''),
        rate: readRate(body.rate),
        intervalSeconds: body.interval || 1,
        blockSeconds: body.block_interval ?? 0,
      })
      return nothing()
    },
  }),
  endpoint({
    ...common,
    id: 'quotas.delete',
    route: 'DELETE /quotas/rate-limit/:name',
    summary: 'Remove a rate limit.',
    returns: { 204: null },
    handle: async ({ deps, params }) => {
      await removeQuota(deps, params.name ?? '')
      return nothing()
    },
  }),
])
