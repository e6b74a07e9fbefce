import { failure } from '../../../kernel/failure.ts'
import { fields, ignoredFields } from '../../../kit/bodies.ts'
import type { Deps } from '../../../kit/deps.ts'
import { acl, type Call, defineSystemEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import type { Mount } from '../../../kit/mount.ts'
import { requesterOf } from '../../../kit/removals/index.ts'
import { data, nothing, type Reply } from '../../../kit/reply.ts'
import { authPath, disableAuth, enableAuth, mountTable, tuneMount } from './mount-actions.ts'
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
import type { Tuning } from './mount-tuning.ts'

const params = { path: { description: 'Mount path of the auth method, without `auth/`.', example: 'cert' } }
const sudo = { access: acl({ sudo: true }), params, doubleRendered: true } as const

/** By these words, clients that plan changes recognise that a method is gone, and enable it again. */
const noMethod = (path: string) => failure('invalid', 'mount.missing', `No auth engine at ${withoutAuth(path)}`)

const withoutAuth = (path: string): string => path.slice('auth/'.length)

async function authMount(deps: Deps, sent: string): Promise<Mount> {
  const path = authPath(sent)
  const mount = (await mountTable(deps)).at(path)
  if (!mount) throw noMethod(path)
  return mount
}

async function readTuning({ deps, params: { path = '' } }: Pick<Call, 'deps' | 'params'>): Promise<Reply> {
  return data(tuneInfo(await authMount(deps, path), systemLifetimes(deps)))
}

type TuneCall = Call<Record<string, string>, unknown, Tuning>

async function writeTuning({ deps, params: { path = '' }, body, warn }: TuneCall): Promise<Reply> {
  await authMount(deps, path)
  for (const note of await tuneMount(deps, authPath(path), body)) warn(note)
  return nothing()
}

/** Auth methods and where they are mounted. */
export const authMountEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    id: 'mounts.list-auth',
    route: 'GET /auth',
    summary: 'List auth methods by path.',
    access: acl(),
    doubleRendered: true,
    returns: { 200: Type.Record(Type.String(), MountInfo) },
    handle: async ({ deps }) => {
      const mounts = (await mountTable(deps)).all.filter((mount) => mount.path.startsWith('auth/'))
      return data(
        Object.fromEntries(mounts.map((mount) => [withoutAuth(mount.path), mountInfo(mount, deps.settings.version)])),
      )
    },
  }),
  endpoint({
    ...sudo,
    id: 'mounts.read-auth',
    route: 'GET /auth/*path',
    summary: 'Read an auth method.',
    returns: { 200: MountInfo },
    fails: ['invalid'],
    handle: async ({ deps, params: { path = '' } }) =>
      data(mountInfo(await authMount(deps, path), deps.settings.version)),
  }),
  endpoint({
    ...sudo,
    id: 'mounts.enable-auth',
    route: 'POST /auth/*path',
    summary: 'Enable an auth method at a path.',
    body: fields(EnableBody),
    returns: { 204: null },
    fails: ['invalid', 'refused'],
    example: { request: { type: 'cert', description: 'Machines at the edge' } },
    handle: async ({ deps, params: { path = '' }, body, warn }) => {
      const { mount, unknown } = newMountOf(body)
      await enableAuth(deps, path, mount)
      if (unknown.length > 0) warn(ignoredFields(unknown))
      return nothing()
    },
  }),
  endpoint({
    ...sudo,
    id: 'mounts.disable-auth',
    route: 'DELETE /auth/*path',
    summary: 'Disable an auth method, revoke its tokens and remove its data.',
    returns: { 204: null },
    fails: ['invalid'],
    handle: async ({ deps, caller, params: { path = '' } }) => {
      await disableAuth(deps, path, requesterOf(caller))
      return nothing()
    },
  }),
  endpoint({
    ...sudo,
    id: 'mounts.read-auth-tuning',
    route: 'GET /auth/*path/tune',
    summary: 'Read the settings of an auth method.',
    returns: { 200: TuneInfo },
    fails: ['invalid'],
    handle: readTuning,
  }),
  endpoint({
    ...sudo,
    id: 'mounts.tune-auth',
    route: 'POST /auth/*path/tune',
    summary: 'Change the settings of an auth method.',
    body: fields(TuneBody),
    returns: { 204: null },
    fails: ['invalid'],
    handle: writeTuning,
  }),
  endpoint({
    ...sudo,
    id: 'mounts.read-tuning',
    route: 'GET /mounts/auth/*path/tune',
    summary: 'Read the settings of an auth method (path used by command-line clients).',
    returns: { 200: TuneInfo },
    fails: ['invalid'],
    handle: readTuning,
  }),
  endpoint({
    ...sudo,
    id: 'mounts.tune',
    route: 'POST /mounts/auth/*path/tune',
    summary: 'Change the settings of an auth method (path used by command-line clients).',
    body: fields(TuneBody),
    returns: { 204: null },
    fails: ['invalid'],
    handle: writeTuning,
  }),
])
