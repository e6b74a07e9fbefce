import { parseSeconds } from '../../../../kernel/duration.ts'
import { failure } from '../../../../kernel/failure.ts'
import { anyObject } from '../../../../kit/bodies.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { acl, endpoint, type MountEndpoint, Type } from '../../../../kit/endpoint.ts'
import { KeyList } from '../../../../kit/envelope.ts'
import { listTerms } from '../../../../kit/list.ts'
import type { Mount } from '../../../../kit/mount.ts'
import { nothing } from '../../../../kit/reply.ts'
import { mountOf } from '../../../../kit/request.ts'
import { exists, ofSecret, spotOf } from './data-endpoints.ts'
import type { Value } from './kv.ts'
import { authorOf, openValue, readVersion, removeSecret, writeSecret } from './kv-actions.ts'
import { mostBytes } from './kv-fields.ts'
import { listNames } from './metadata-endpoints.ts'

/** After how long clients read a value again: what it says itself, or what the mount says. */
function leaseSeconds({ settings }: Pick<Deps, 'settings'>, { config }: Mount, value: Value): number {
  const own = [value.ttl, value.lease].find((each) => each !== undefined && parseSeconds(textOf(each)) !== undefined)
  return own === undefined ? config.defaultLeaseTtl || settings.defaultLeaseTtl : (parseSeconds(textOf(own)) ?? 0)
}

const textOf = (value: unknown): unknown => (typeof value === 'string' || typeof value === 'number' ? value : undefined)

/** Secrets without versions. */
export const v1Endpoints: readonly MountEndpoint[] = [
  endpoint({
    ...listTerms,
    id: 'kv1.list-all',
    route: 'LIST /',
    summary: 'List secrets and folders.',
    access: acl(),
    returns: { 200: KeyList },
    handle: (call) => listNames(call),
  }),
  endpoint({
    ...listTerms,
    ...ofSecret,
    id: 'kv1.list',
    route: 'LIST /*path',
    summary: 'List secrets and folders in a folder.',
    returns: { 200: KeyList },
    handle: (call) => listNames(call),
  }),
  endpoint({
    ...ofSecret,
    id: 'kv1.read',
    route: 'GET /*path',
    summary: 'Read a secret.',
    description:
      '`lease_duration` is the `ttl` in the secret, or the default lifetime of the mount. Clients read it again after most of that time.',
    returns: { 200: Type.Record(Type.String(), Type.Unknown(), { description: 'The secret, as it was written.' }) },
    fails: ['missing'],
    handle: async ({ deps, request, params }) => {
      const mount = mountOf(request)
      const version = await readVersion(deps, spotOf(request, params))
      if (!version) return nothing()
      const value = openValue(deps, version)
      const lease = { id: '', seconds: leaseSeconds(deps, mount, value), renewable: false }
      return { kind: 'data', data: { ...value }, lease }
    },
  }),
  endpoint({
    ...ofSecret,
    id: 'kv1.write',
    route: 'POST /*path',
    summary: 'Write a secret, in place of the one before.',
    body: anyObject('The secret: any object.', { maxBytes: mostBytes }),
    returns: { 204: null },
    fails: ['invalid', 'too-large'],
    example: { request: { password: 'correct horse', ttl: '1h' } },
    exists,
    handle: async ({ deps, request, params, caller, body }) => {
      if (Object.keys(body).length === 0) throw failure('invalid', 'kv.empty', 'missing data fields')
      const author = authorOf(caller, 'write')
      await writeSecret(deps, spotOf(request, params), { value: body, cas: undefined, author, isSingle: true })
      return nothing()
    },
  }),
  endpoint({
    ...ofSecret,
    id: 'kv1.delete',
    route: 'DELETE /*path',
    summary: 'Remove a secret for good.',
    returns: { 204: null },
    handle: async ({ deps, request, params }) => {
      await removeSecret(deps, spotOf(request, params))
      return nothing()
    },
  }),
]
