import type { Acl } from '../../../access/policies/index.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import {
  acl,
  authenticated,
  defineSystemEndpoints,
  type Endpoint,
  endpoint,
  optional,
  Type,
} from '../../../kit/endpoint.ts'
import type { Mount } from '../../../kit/mount.ts'
import { data } from '../../../kit/reply.ts'
import { MountInfo, mountInfo, mountTable, systemLifetimes } from '../mounts/index.ts'
import { aclOf } from '../policies/index.ts'
import { callerToken } from '../tokens/index.ts'

const isAuth = (mount: Mount): boolean => mount.path.startsWith('auth/')

/** What callers without any right to a mount learn about it, if it is configured to be listed. */
const briefInfo = (mount: Mount) => ({ type: mount.type, description: mount.description, options: optionsOf(mount) })

const fullInfo = (deps: Deps, mount: Mount): Record<string, unknown> => ({
  ...mountInfo(mount, deps.settings.version, systemLifetimes(deps)),
  options: optionsOf(mount),
})

/** Early template engines fail on null where a secrets engine has no options; nobody does on an empty object. */
const optionsOf = (mount: Mount) => mount.options ?? (isAuth(mount) ? null : {})

/** What a caller sees of a mount: everything with any right below it, a little if it is listed for everybody. */
function viewOf(deps: Deps, mount: Mount, rights: Acl | undefined): Record<string, unknown> | undefined {
  if (rights?.anyCapabilityUnder(mount.path)) return fullInfo(deps, mount)
  return mount.config.listingVisibility === 'unauth' ? briefInfo(mount) : undefined
}

/** Auth methods are named by their path below `auth/`, in the list and one by one. */
const pathInGroup = (mount: Mount): string => (isAuth(mount) ? mount.path.slice('auth/'.length) : mount.path)

/** The same text whether there is no mount or one that the caller may not know of. */
const noAccess = (path: string) =>
  failure('forbidden', 'mount.hidden', `permission denied: no mount at '${path}', or none that this token can use`)

const Rights = Type.Record(Type.String(), Type.Object({ capabilities: Type.Array(Type.String()) }))

/** What user interfaces and command lines ask before they show or do anything. */
export const visibleMountEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    id: 'mounts.list-visible',
    route: 'GET /internal/ui/mounts',
    summary: 'List the mounts the caller may see.',
    access: optional('Login pages list the auth methods that are meant to be seen.'),
    returns: {
      200: Type.Object({
        secret: Type.Record(Type.String(), Type.Unknown(), { description: 'Mounts by path.' }),
        auth: Type.Record(Type.String(), Type.Unknown(), { description: 'Auth methods by path below `auth/`.' }),
      }),
    },
    handle: async ({ deps, caller }) => {
      const rights = caller.kind === 'token' ? await aclOf(deps, caller) : undefined
      const seen = (await mountTable(deps)).all
        .map((mount) => ({ mount, view: viewOf(deps, mount, rights) }))
        .filter(({ view }) => view !== undefined)
      const group = (auth: boolean) =>
        Object.fromEntries(
          seen.filter(({ mount }) => isAuth(mount) === auth).map(({ mount, view }) => [pathInGroup(mount), view]),
        )
      return data({ secret: group(false), auth: group(true) })
    },
  }),
  endpoint({
    id: 'mounts.read-visible',
    route: 'GET /internal/ui/mounts/*path',
    summary: 'Read the mount that a path belongs to.',
    description:
      'An unknown mount and one on which the caller has no rights give the same response, so that mounts cannot be ' +
      'guessed.',
    access: authenticated(),
    params: { path: { description: 'Any path below `/v1`.', example: 'auth/cert/certs' } },
    returns: { 200: MountInfo },
    fails: ['forbidden'],
    handle: async ({ deps, caller, params: { path = '' } }) => {
      const mount = (await mountTable(deps)).find(`${path}/`)
      const rights = await aclOf(deps, callerToken(caller))
      if (!mount || !rights.anyCapabilityUnder(mount.path)) throw noAccess(path)
      return data({ ...fullInfo(deps, mount), path: pathInGroup(mount) })
    },
  }),
  endpoint({
    id: 'capabilities.resultant',
    route: 'GET /internal/ui/resultant-acl',
    summary: "Read all policy rules that apply to the caller's token.",
    access: acl(),
    returns: { 200: Type.Object({ root: Type.Boolean(), exact_paths: Rights, glob_paths: Rights }) },
    handle: async ({ deps, caller }) => {
      const { root, exactPaths, globPaths } = (await aclOf(deps, callerToken(caller))).resultant()
      return data({ root, exact_paths: exactPaths, glob_paths: globPaths })
    },
  }),
])
