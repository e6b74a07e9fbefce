import type { Mount, MountConfig, SingletonKind, SingletonKinds } from '../../../kit/mount.ts'

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

/** The mounts that always exist and can be neither moved, removed nor mounted again. */
export const fixedMounts = (kinds: SingletonKinds): readonly Mount[] => [...kinds.values()].flatMap(fixedMountsOf)

const fixedMountsOf = ({ type, accessorPrefix, description = '', singleton }: SingletonKind): readonly Mount[] =>
  singleton
    ? [
        {
          id: type,
          path: singleton.path,
          type,
          accessor: `${accessorPrefix}_00000000`,
          loginId: type,
          description,
          local: singleton.local ?? false,
          sealWrap: false,
          options: null,
          config: defaultMountConfig,
        },
      ]
    : []

/** The mount that always exists at a path. */
export const fixedMountAt = (kinds: SingletonKinds, path: string): Mount | undefined =>
  fixedMounts(kinds).find((mount) => mount.path === path)

/** True for a mount that always exists. */
export const isFixedMount = (kinds: SingletonKinds, accessor: string): boolean =>
  fixedMounts(kinds).some((mount) => mount.accessor === accessor)

/** The fixed mount that prevents others from being mounted at a path. */
export const reservedMountAt = (kinds: SingletonKinds, path: string): Mount | undefined =>
  fixedMounts(kinds).find((mount) => path.startsWith(mount.path))

/** Auth methods are mounted below `auth/`, secrets engines elsewhere. */
export const isAuthPath = (path: string): boolean => path.startsWith('auth/')

/** The mount that conflicts with a new one: neither may lie inside the other, because it would hide a part of it. */
export const conflictingMount = (path: string, taken: readonly Mount[]): Mount | undefined =>
  taken.find((mount) => path.startsWith(mount.path) || mount.path.startsWith(path))

/** Finds the mount of a path: the one with the longest path that is a prefix of it. */
export class MountTable {
  readonly #byPath: Map<string, Mount>
  readonly all: readonly Mount[]
  readonly #deepest: number

  /** `stored` are the added mounts, and fixed ones whose settings were changed. */
  constructor(kinds: SingletonKinds, stored: readonly Mount[]) {
    this.#byPath = new Map([...fixedMounts(kinds), ...stored].map((mount) => [mount.path, mount]))
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
