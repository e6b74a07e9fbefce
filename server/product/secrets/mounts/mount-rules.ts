import type { Mount, MountConfig, MountType } from '../../../kit/mount.ts'

/** The settings of a mount that was not tuned; 0 means the value of the whole server. */
export const defaultMountConfig: MountConfig = {
  defaultLeaseTtl: 0,
  maxLeaseTtl: 0,
  forceNoCache: false,
  tokenType: 'default-service',
  listingVisibility: '',
  auditNonHmacRequestKeys: [],
  auditNonHmacResponseKeys: [],
  passthroughRequestHeaders: [],
  allowedResponseHeaders: [],
}

const fixedMount = (path: string, type: MountType, accessor: string, description: string): Mount => ({
  id: type,
  path,
  type,
  accessor,
  loginId: type,
  description,
  local: false,
  sealWrap: false,
  options: null,
  config: defaultMountConfig,
  tainted: false,
})

/** The mounts that always exist and can be neither moved, disabled nor mounted again. */
const fixedMounts: readonly Mount[] = [
  fixedMount('sys/', 'system', 'system_00000000', 'Control, policies and status of this server.'),
  fixedMount('identity/', 'identity', 'identity_00000000', 'Entities and the aliases they log in with.'),
  {
    ...fixedMount('cubbyhole/', 'cubbyhole', 'cubbyhole_00000000', 'Values that only one token can read.'),
    local: true,
  },
  fixedMount('auth/token/', 'token', 'auth_token_00000000', 'Login and management with tokens.'),
]

/** Among the fixed mounts, only the token mount has settings that can be changed. */
export const tunableFixedMount = (path: string): Mount | undefined =>
  fixedMounts.find((mount) => mount.path === path && mount.type === 'token')

/** True for a mount that always exists. */
export const isFixedMount = (accessor: string): boolean => fixedMounts.some((mount) => mount.accessor === accessor)

/** The fixed mount that prevents others from being mounted at a path. */
export const reservedMountAt = (path: string): Mount | undefined =>
  fixedMounts.find((mount) => path.startsWith(mount.path))

/** The mount that conflicts with a new one: neither may lie inside the other, because it would hide a part of it. */
export const conflictingMount = (path: string, taken: readonly Mount[]): Mount | undefined =>
  taken.find((mount) => path.startsWith(mount.path) || mount.path.startsWith(path))

/** Finds the mount of a path: the one with the longest path that is a prefix of it. */
export class MountTable {
  readonly #byPath: Map<string, Mount>
  readonly all: readonly Mount[]
  readonly #deepest: number

  /** `stored` are the added mounts, and fixed ones whose settings were changed. */
  constructor(stored: readonly Mount[]) {
    this.#byPath = new Map([...fixedMounts, ...stored].map((mount) => [mount.path, mount]))
    this.all = [...this.#byPath.values()]
    this.#deepest = Math.max(...this.all.map(({ path }) => path.split('/').length - 1))
  }

  /** `path` ends in a slash. Looks at no more segments than the deepest mount has, however many mounts there are. */
  find(path: string): Mount | undefined {
    let found: Mount | undefined
    let end = 0
    for (let depth = 0; depth < this.#deepest; depth++) {
      end = path.indexOf('/', end) + 1
      if (end === 0) break
      found = this.#byPath.get(path.slice(0, end)) ?? found
    }
    return found
  }

  /** The mount with exactly this path. */
  at(path: string): Mount | undefined {
    return this.#byPath.get(path)
  }

  byAccessor(accessor: string): Mount | undefined {
    return this.all.find((mount) => mount.accessor === accessor)
  }
}
