/** The kinds of things that answer below a path of `/v1`. */
export type MountType = 'system' | 'identity' | 'cubbyhole' | 'token' | 'cert'

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
}

/** The version of what answers at a mount, as clients of this family write it: all of it comes with the server. */
export const runningVersionOf = (server: string): string => `v${server}+builtin`

/** A place under `/v1` and what answers there. */
export type Mount = {
  readonly id: string
  /** With a trailing slash and no leading one: `sys/`, `auth/cert/`. */
  readonly path: string
  readonly type: MountType
  readonly accessor: string
  /** What the tokens of its logins carry. It changes with a move, so that those made before stay dead. */
  readonly loginId: string
  readonly description: string
  readonly local: boolean
  readonly sealWrap: boolean
  readonly options: Readonly<Record<string, string>> | null
  readonly config: MountConfig
  /** True while the mount is being taken down: nothing is served below it any more. */
  readonly tainted: boolean
}
