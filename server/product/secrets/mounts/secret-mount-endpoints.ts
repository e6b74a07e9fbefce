import { failure } from '../../../kernel/failure.ts'
import { withoutOuterSlashes } from '../../../kernel/slashes.ts'
import { fields } from '../../../kit/bodies.ts'
import type { Deps } from '../../../kit/deps.ts'
import { acl, defineMountEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import type { Mount } from '../../../kit/mount.ts'
import { data, nothing } from '../../../kit/reply.ts'
import { refuseReserved } from './mount-actions.ts'
import { mountTable } from './mount-cache.ts'
import { reservedMountAt } from './mount-rules.ts'
import { EnableBody, MountInfo, mountInfo, systemLifetimes, TuneBody, TuneInfo, tuneInfo } from './mount-wire.ts'

const params = { path: { description: 'Mount path of the engine.', example: 'cubbyhole' } }
const common = { access: acl(), params, doubleRendered: true } as const

const secretPath = (sent: string): string => `${withoutOuterSlashes(sent)}/`

async function anyMount(deps: Deps, sent: string): Promise<Mount> {
  const path = secretPath(sent)
  const mount = (await mountTable(deps)).at(path)
  if (mount && !mount.tainted) return mount
  // Clients recognise by these words that a mount is gone, as with auth methods.
  throw failure('invalid', 'mount.missing', `No secret engine mount at ${path}`)
}

async function secretMount(deps: Deps, sent: string): Promise<Mount> {
  const mount = await anyMount(deps, sent)
  if (!mount.path.startsWith('auth/')) return mount
  throw failure('invalid', 'mount.missing', `The mount at '${mount.path}' is an auth method: use sys/auth.`)
}

/** Nothing may be mounted here below `auth/`, or at the path of a fixed mount. */
function refuseReservedSecret(path: string): void {
  refuseReserved(path)
  if (path.startsWith('auth/'))
    throw failure('refused', 'mount.reserved', "The path 'auth/' is reserved: use sys/auth.")
}

/**
 * Mounts that are not auth methods. This server has only its fixed ones; clients list them, and read their settings,
 * before they do anything else.
 */
export const secretMountEndpoints: readonly Endpoint[] = defineMountEndpoints('system', [
  endpoint({
    id: 'mounts.list',
    route: 'GET /mounts',
    summary: 'List the mounts other than auth methods, by path.',
    access: acl(),
    doubleRendered: true,
    returns: { 200: Type.Record(Type.String(), MountInfo) },
    handle: async ({ deps }) => {
      const mounts = (await mountTable(deps)).all.filter((mount) => !mount.path.startsWith('auth/'))
      return data(Object.fromEntries(mounts.map((mount) => [mount.path, mountInfo(mount, deps.settings.version)])))
    },
  }),
  endpoint({
    ...common,
    id: 'mounts.read',
    route: 'GET /mounts/*path',
    summary: 'Read a mount.',
    description: 'Also reads auth methods by their full path, as Go clients do.',
    returns: { 200: MountInfo },
    fails: ['invalid'],
    handle: async ({ deps, params: { path = '' } }) =>
      data(mountInfo(await anyMount(deps, path), deps.settings.version)),
  }),
  endpoint({
    ...common,
    id: 'mounts.enable',
    route: 'POST /mounts/*path',
    summary: 'Mount a secrets engine. No engine types are available, so this is always refused.',
    body: fields(EnableBody),
    fails: ['invalid', 'refused'],
    handle: ({ params: { path = '' }, body }) => {
      refuseReservedSecret(secretPath(path))
      if (!body.type) throw failure('invalid', 'mount.type', "'type' names what to mount; it must not be empty.")
      throw failure('invalid', 'mount.type', `There is no secrets engine of type '${body.type}'.`)
    },
  }),
  endpoint({
    ...common,
    id: 'mounts.disable',
    route: 'DELETE /mounts/*path',
    summary: 'Remove a mount. Built-in mounts cannot be removed.',
    returns: { 204: null },
    fails: ['invalid'],
    handle: ({ params: { path = '' } }) => {
      const owner = reservedMountAt(secretPath(path))
      if (owner) throw failure('invalid', 'mount.fixed', `The mount at '${owner.path}' cannot be removed.`)
      if (secretPath(path).startsWith('auth/'))
        throw failure('invalid', 'mount.auth', 'Auth methods are disabled at sys/auth.')
      return nothing()
    },
  }),
  endpoint({
    ...common,
    id: 'mounts.read-secret-tuning',
    route: 'GET /mounts/*path/tune',
    summary: 'Read the settings of a mount.',
    returns: { 200: TuneInfo },
    fails: ['invalid'],
    handle: async ({ deps, params: { path = '' } }) =>
      data(tuneInfo(await secretMount(deps, path), systemLifetimes(deps))),
  }),
  endpoint({
    ...common,
    id: 'mounts.tune-secret',
    route: 'POST /mounts/*path/tune',
    summary: 'Change the settings of a mount. Built-in mounts cannot be changed.',
    body: fields(TuneBody),
    fails: ['invalid'],
    handle: async ({ deps, params: { path = '' } }) => {
      const mount = await secretMount(deps, path)
      throw failure('invalid', 'mount.untunable', `The settings of '${mount.path}' cannot be changed.`)
    },
  }),
])
