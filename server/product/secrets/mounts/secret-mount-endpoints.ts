import { failure } from '../../../kernel/failure.ts'
import { fields, ignoredFields } from '../../../kit/bodies.ts'
import type { Deps } from '../../../kit/deps.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import type { Mount } from '../../../kit/mount.ts'
import { requesterOf } from '../../../kit/removals/index.ts'
import { data, nothing } from '../../../kit/reply.ts'
import { isAuthPath } from './fixed-mounts.ts'
import { disableEngine, enableEngine, enginePath, mountTable, notesOn, tuneMount } from './mount-actions.ts'
import {
  EnableBody,
  MountInfo,
  mountInfo,
  newMountOf,
  systemLifetimes,
  TuneBody,
  TuneInfo,
  tuneInfo,
} from './mount-fields.ts'

const params = { path: { description: 'Mount path of the engine.', example: 'secret' } }
const common = { access: acl(), params, doubleRendered: true } as const

async function anyMount(deps: Deps, sent: string): Promise<Mount> {
  const path = enginePath(sent)
  const mount = (await mountTable(deps)).at(path)
  if (mount) return mount
  // Clients recognise by these words that a mount is gone, as with auth methods.
  throw failure('invalid', 'mount.missing', `No secret engine mount at ${path}`)
}

async function secretMount(deps: Deps, sent: string): Promise<Mount> {
  const mount = await anyMount(deps, sent)
  if (!isAuthPath(mount.path)) return mount
  throw failure('invalid', 'mount.missing', `The mount at '${mount.path}' is an auth method: use sys/auth.`)
}

/** Mounts that are not auth methods. Clients list them, and read their settings, before they do anything else. */
export const secretMountEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    id: 'mounts.list',
    route: 'GET /mounts',
    summary: 'List the mounts other than auth methods, by path.',
    access: acl(),
    doubleRendered: true,
    returns: { 200: Type.Record(Type.String(), MountInfo) },
    handle: async ({ deps }) => {
      const mounts = (await mountTable(deps)).all.filter((mount) => !isAuthPath(mount.path))
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
    handle: async ({ deps, params: { path = '' } }) => {
      const mount = await anyMount(deps, path)
      const totals = await deps.mountKinds.get(mount.type)?.totals?.(deps, mount)
      const info = mountInfo(mount, deps.settings.version)
      return data(totals ? { ...info, holdfast: { ...totals, state: 'ready' } } : info)
    },
  }),
  endpoint({
    ...common,
    id: 'mounts.enable',
    route: 'POST /mounts/*path',
    summary: 'Mount a secrets engine.',
    example: { request: { type: 'kv', options: { version: '2' } } },
    body: fields(EnableBody),
    returns: { 204: null },
    fails: ['invalid', 'refused'],
    handle: async ({ deps, params: { path = '' }, body, warn }) => {
      const { mount, unknown } = newMountOf(body)
      const after = await enableEngine(deps, path, mount)
      for (const note of await notesOn(deps, { after })) warn(note)
      if (unknown.length > 0) warn(ignoredFields(unknown))
      return nothing()
    },
  }),
  endpoint({
    ...common,
    id: 'mounts.disable',
    route: 'DELETE /mounts/*path',
    summary: 'Remove a mount with all that is stored in it. Built-in mounts cannot be removed.',
    returns: { 204: null },
    fails: ['invalid'],
    handle: async ({ deps, caller, params: { path = '' } }) => {
      await disableEngine(deps, path, requesterOf(caller))
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
    summary: 'Change the settings of a mount; of built-in ones, what audit records show unhashed.',
    body: fields(TuneBody),
    returns: { 204: null },
    fails: ['invalid'],
    handle: async ({ deps, params: { path = '' }, body, warn }) => {
      for (const note of await tuneMount(deps, (await secretMount(deps, path)).path, body)) warn(note)
      return nothing()
    },
  }),
])
