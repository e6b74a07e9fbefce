import { toIsoNano } from '../../../../kernel/clock.ts'
import { failure } from '../../../../kernel/failure.ts'
import { aclRequestOf, permissionDenied } from '../../../../kit/access.ts'
import { fields } from '../../../../kit/bodies.ts'
import { type Call, endpoint, type MountEndpoint, Type } from '../../../../kit/endpoint.ts'
import { field } from '../../../../kit/fields.ts'
import { data, nothing } from '../../../../kit/reply.ts'
import { mountOf } from '../../../../kit/request.ts'
import { callerToken } from '../../tokens/index.ts'
import { ofSecret, rewrittenReply, spotOf } from './data-endpoints.ts'
import { difference, isLive, readCas, type Value } from './kv.ts'
import { authorOf, openValue, rewriteSecret } from './kv-actions.ts'
import { VersionInfo } from './kv-fields.ts'
import { type FoundVersion, findSecretId, findVersion } from './kv-store.ts'
import { writeUses } from './use-actions.ts'
import { findUses } from './use-store.ts'

const Entry = Type.Object({
  entity_id: Type.String({ description: 'Who; empty for tokens without entity.' }),
  display_name: Type.String({ description: 'Display name of the last token.' }),
  operation: Type.String({ description: '`read`, `write` or `delete`.' }),
  version: Type.Integer({ description: 'The version that was touched last.' }),
  first: Type.String({ description: 'When for the first time.' }),
  last: Type.String({ description: 'When for the last time.' }),
  count: Type.Integer({ description: 'How often.' }),
})

const Names = Type.Array(Type.String())

/** A version that can be read, of a secret that may have none. */
async function liveVersion(
  { deps, request, params }: Pick<Call, 'deps' | 'request' | 'params'>,
  number: number,
): Promise<FoundVersion | undefined> {
  const version = await findVersion(deps.db, spotOf(request, params), number)
  return version && isLive(version, deps.clock.now()) ? version : undefined
}

/** Values are shown to those who may read the secret itself. */
async function requireRead({ deps, request, params, caller }: Pick<Call, 'deps' | 'request' | 'params' | 'caller'>) {
  const path = `${mountOf(request).path}data/${params.path}`
  const check = aclRequestOf({ path, fields: {}, wrapTtl: request.wrapTtl }, 'read')
  const { allowed } = await deps.policies.authorize(callerToken(caller), check)
  if (!allowed) throw permissionDenied()
}

function sidesOf(names: readonly string[], from: Value, to: Value): Record<string, unknown> {
  const side = (key: string, value: Value, name: string) => (Object.hasOwn(value, name) ? { [key]: value[name] } : {})
  return Object.fromEntries(names.map((name) => [name, { ...side('from', from, name), ...side('to', to, name) }]))
}

/** Who has used a secret, what has changed in it, and how to go back. */
export const historyEndpoints: readonly MountEndpoint[] = [
  endpoint({
    ...ofSecret,
    id: 'kv.read-history',
    route: 'GET /history/*path',
    summary: 'Read who has read, written and deleted a secret, and when. It may be a minute late.',
    returns: { 200: Type.Object({ entries: Type.Array(Entry) }) },
    fails: ['missing'],
    handle: async ({ deps, request, params }) => {
      const { mountId, path } = spotOf(request, params)
      const id = await findSecretId(deps.db, { mountId, path })
      if (id === undefined) return nothing()
      await writeUses(deps)
      const entries = (await findUses(deps.reads, mountId, id)).map((use) => ({
        entity_id: use.entityId,
        display_name: use.displayName,
        operation: use.operation,
        version: use.version,
        first: toIsoNano(use.firstAt),
        last: toIsoNano(use.lastAt),
        count: use.count,
      }))
      return data({ entries })
    },
  }),
  endpoint({
    ...ofSecret,
    id: 'kv.diff',
    route: 'GET /diff/*path',
    summary: 'Compare two versions of a secret by the names in them.',
    query: Type.Object({
      from: field.whole('Number of the earlier version; if left out, the one before the later.'),
      to: field.whole('Number of the later version; if left out, the latest.'),
      values: field.flag('Whether to show the values too, which takes `read` on the secret itself.'),
    }),
    returns: {
      200: Type.Object({
        from: Type.Integer(),
        to: Type.Integer(),
        added: Names,
        removed: Names,
        changed: Names,
        values: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      }),
    },
    fails: ['missing', 'forbidden', 'invalid'],
    handle: async (call) => {
      const { deps, query } = call
      if (query.values) await requireRead(call)
      const later = await liveVersion(call, query.to ?? 0)
      const before = later && (query.from || later.number - 1)
      const earlier = before ? await liveVersion(call, before) : undefined
      if (!later || !earlier) return nothing()
      const [from, to] = [openValue(deps, earlier), openValue(deps, later)]
      const found = difference(from, to)
      const names = [...found.added, ...found.removed, ...found.changed].sort()
      return data({
        from: earlier.number,
        to: later.number,
        ...found,
        ...(query.values ? { values: sidesOf(names, from, to) } : {}),
      })
    },
  }),
  endpoint({
    ...ofSecret,
    id: 'kv.restore',
    route: 'POST /restore/*path',
    summary: 'Write a version that is the same as an earlier one.',
    body: fields(
      Type.Object({
        version: field.whole('Number of the version to restore.', { minimum: 1 }),
        options: field.object('`cas`: the version that must be the current one.'),
      }),
    ),
    returns: { 200: VersionInfo, 404: VersionInfo },
    fails: ['missing', 'invalid'],
    example: { request: { version: 3, options: { cas: 5 } } },
    handle: async ({ deps, request, params, caller, body }) => {
      if (body.version === undefined)
        throw failure('invalid', 'kv.versions', "'version' must say which version to restore.")
      const cas = readCas('check-and-set', body.options?.cas)
      const author = authorOf(caller, 'restore')
      const rewrite = { from: body.version, cas, author, change: (value: Value) => value }
      return rewrittenReply({ deps, request, caller }, await rewriteSecret(deps, spotOf(request, params), rewrite))
    },
  }),
]
