/** What was said when a mount was enabled or tuned, for its type to understand. */
export type MountOptions = Readonly<Record<string, string>>

/** How long wrong credentials for one name keep one place waiting, where a type counts them. Absent: as by default. */
export type UserLockout = {
  readonly threshold?: number
  /** Seconds. */
  readonly duration?: number
  /** Seconds. */
  readonly counterReset?: number
  readonly disable?: boolean
}

/** Settings of a mount that its owner can tune. */
export type MountConfig = {
  readonly defaultLeaseTtl: number
  readonly maxLeaseTtl: number
  readonly forceNoCache: boolean
  readonly tokenType: 'default-service' | 'default-batch' | 'service' | 'batch'
  readonly listingVisibility: '' | 'hidden' | 'unauth'
  readonly auditNonHmacRequestKeys: readonly string[]
  readonly auditNonHmacResponseKeys: readonly string[]
  readonly passthroughRequestHeaders: readonly string[]
  readonly allowedResponseHeaders: readonly string[]
  /** Absent where nothing was set. */
  readonly userLockout?: UserLockout
}

/** The version of what answers at a mount, as clients of this family write it: all of it comes with the server. */
export const runningVersionOf = (server: string): string => `v${server}+builtin`

/** A place under `/v1` and what answers there. */
export type Mount = {
  readonly id: string
  /** With a trailing slash and no leading one: `sys/`, `auth/cert/`. */
  readonly path: string
  /** The name of a `MountKind`; of none if this server lacks the part that has enabled it. */
  readonly type: string
  readonly accessor: string
  /** What the tokens of its logins carry. It changes with a move, so that those made before stay dead. */
  readonly loginId: string
  readonly description: string
  readonly local: boolean
  readonly sealWrap: boolean
  readonly options: MountOptions | null
  readonly config: MountConfig
}

/** A type of which there is one mount, always: nobody enables, moves or removes it. */
export type Singleton = {
  readonly singleton: {
    /** With a trailing slash: `cubbyhole/`. */
    readonly path: string
    /** Shown with the mount; has no effect. */
    readonly local?: boolean
    /** Whether all of its settings can be changed, and not only what audit records show of it. */
    readonly isTunable?: boolean
  }
}

/** A type of mounts as far as it says which mount always exists. */
export type SingletonKind = {
  readonly type: string
  readonly accessorPrefix: string
  readonly description?: string
} & Partial<Singleton>

/** Types of mounts by name, as far as they say which mounts always exist. */
export type SingletonKinds = ReadonlyMap<string, SingletonKind>
