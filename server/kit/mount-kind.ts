import type { Awaitable } from '../kernel/awaitable.ts'
import type { TokenPrincipal } from '../kernel/principal.ts'
import type { Tx } from '../storage/open.ts'
import type { Deps } from './deps.ts'
import { acl, completeMountEndpoint, type Endpoint, type MountEndpoint } from './endpoint.ts'
import type { Mount, MountOptions, Singleton } from './mount.ts'
import type { RequestFacts } from './request.ts'

/** What can answer at a mount of `/v1`: an auth method or a secrets engine. Adding one is a folder and a line. */
type Definition = {
  /** What it is enabled by, and what mounts and audit records call it: `cert`, `kv`. */
  readonly type: string
  /** Other names to enable it by, with the options that each of them stands for. */
  readonly aliases?: Readonly<Record<string, MountOptions>>
  /** The description of mounts for which none was sent. */
  readonly description?: string
  /** What the accessors of its mounts begin with; if left out, the type, after `auth_` for auth methods. */
  readonly accessorPrefix?: string
  /** Its endpoints, with routes relative to the mount; by variant, if it has several. */
  readonly endpoints: readonly MountEndpoint[] | Readonly<Record<string, readonly MountEndpoint[]>>
  /** Answers at every path below a mount that no endpoint has, after policies have allowed the request. */
  readonly catchAll?: Omit<MountEndpoint, 'route' | 'access'>
  /**
   * The variant that options choose, whose endpoints answer at the mount; throws to refuse options when they are set. A
   * type without variants takes any options but `version`.
   */
  readonly variantOf?: (options: MountOptions) => string
  /** Counts what a mount holds, without looking at it all; shown to those who read the mount. */
  readonly totals?: (deps: Deps, mount: Mount) => Promise<Readonly<Record<string, number>>>
  /** What somebody probably meant by a path that no endpoint has, for whoever asks why it is refused; undefined for nothing. */
  readonly meantPath?: (mount: Mount, path: string) => string | undefined
  /** Paths below a mount that lead to the same as this one, if names in them are compared without case. */
  readonly equivalentPaths?: (deps: Deps, mount: Mount, path: string) => Awaitable<readonly string[]>
}

/** What happens to the mounts of a type. Rows of theirs hold the id of the mount, never its path. */
type LifeCycle = {
  /** Stores what a new mount begins with, in the transaction that stores the mount. */
  readonly mounted?: (deps: Deps, tx: Tx, mount: Mount) => Promise<void>
  /** Does what new settings mean, in the transaction that stores them; throws to refuse them. */
  readonly tuned?: (deps: Deps, tx: Tx, change: { readonly before: Mount; readonly after: Mount }) => Promise<void>
  /** What callers should know who have mounted it, without `before`, or changed its settings. */
  readonly notes?: (
    deps: Deps,
    change: { readonly before?: Mount; readonly after: Mount },
  ) => Promise<readonly string[]>
  /** Follows a mount to its new path, in the transaction of the move. */
  readonly moved?: (deps: Deps, tx: Tx, mount: Mount) => Promise<void>
  /**
   * Removes up to `limit` rows of a mount that is gone, and returns how many are left. It is called until there are none;
   * nothing else deletes by mount.
   */
  readonly removeSome: (tx: Tx, mountId: string, limit: number) => Promise<number>
}

/** A token that asks for more time, with what its auth method stored at the login. */
export type RenewingToken = TokenPrincipal & { readonly authData: Readonly<Record<string, unknown>> }

/** What an auth method says when a token of its logins asks for more time; seconds, 0 for not set. */
export type RenewalTerms = { readonly ttl: number; readonly maxTtl: number; readonly period: number }

/** A request to an auth method, and the mount that it is about. */
export type Presentation = { readonly mount: Mount; readonly request: RequestFacts }

/** What only auth methods have. Their logins hand a `LoginGrant` to the feature that issues tokens. */
type Logins = {
  /** True if wrong credentials make callers wait, so that mounts take `user_lockout_config`. */
  readonly countsFailures?: boolean
  /** Checks that a token may be renewed now and by this request; throws to refuse. */
  readonly renewalTerms: (deps: Deps, token: RenewingToken, by: Presentation) => Promise<RenewalTerms>
  /**
   * Why a token must not be used any more that is bound to the certificate of this request, by a login with this
   * metadata; undefined while it may. Asked at every use of such tokens; methods that bind none leave it out.
   */
  readonly reasonToRefuseUse?: (
    deps: Deps,
    metadata: Readonly<Record<string, string>>,
    by: Presentation,
  ) => Awaitable<string | undefined>
}

/** A type of mounts as the server knows it. */
export type MountKind = Omit<Definition, 'endpoints' | 'catchAll'> &
  Partial<Singleton & LifeCycle & Logins> & {
    /** Auth methods are mounted below `auth/`, secrets engines elsewhere. */
    readonly isAuth: boolean
    readonly accessorPrefix: string
    readonly endpoints: readonly Endpoint[]
    readonly catchAll: Endpoint | undefined
  }

/** All types of mounts, by name. */
export type MountKinds = ReadonlyMap<string, MountKind>

declare module './deps.ts' {
  interface Deps {
    /** The types of mounts that features have. */
    readonly mountKinds: MountKinds
  }
}

/** Declares an auth method. */
export const authMethod = (definition: Definition & (Singleton | (LifeCycle & Logins))): MountKind =>
  completeKind(definition, { isAuth: true, usualMount: `auth/${definition.type}` })

/** Declares a secrets engine. */
export const secretsEngine = (definition: Definition & (Singleton | LifeCycle)): MountKind => {
  const path = 'singleton' in definition ? definition.singleton.path.slice(0, -1) : definition.type
  return completeKind(definition, { isAuth: false, usualMount: path })
}

function completeKind(
  definition: Definition & Partial<Singleton & LifeCycle & Logins>,
  { isAuth, usualMount }: { readonly isAuth: boolean; readonly usualMount: string },
): MountKind {
  const { type, endpoints, catchAll } = definition
  const at = { mountType: type, usualMount }
  const byVariant = Object.entries(isPlain(endpoints) ? {} : endpoints)
  return {
    ...definition,
    isAuth,
    accessorPrefix: definition.accessorPrefix ?? (isAuth ? `auth_${type}` : type),
    endpoints: [
      ...(isPlain(endpoints) ? endpoints.map((each) => completeMountEndpoint(at, each)) : []),
      ...byVariant.flatMap(([variant, list]) =>
        list.map((each) => completeMountEndpoint({ ...at, usualMount: `${usualMount}-${variant}`, variant }, each)),
      ),
    ],
    catchAll: catchAll && completeMountEndpoint(at, { ...catchAll, route: 'GET /*path', access: acl() }),
  }
}

const isPlain = (endpoints: Definition['endpoints']): endpoints is readonly MountEndpoint[] => Array.isArray(endpoints)

/** The type of mounts with a name, or with an alias, and the options that the alias stands for. */
export function kindNamed(
  kinds: MountKinds,
  name: string,
): { readonly kind: MountKind; readonly options?: MountOptions } | undefined {
  const kind = kinds.get(name)
  if (kind) return { kind }
  const aliased = [...kinds.values()].find(({ aliases = {} }) => Object.hasOwn(aliases, name))
  return aliased && { kind: aliased, options: aliased.aliases?.[name] }
}
