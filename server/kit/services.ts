import type { Awaitable } from '../kernel/awaitable.ts'
import type { Instant } from '../kernel/clock.ts'
import type { ActorPrincipal, Principal, TokenPrincipal } from '../kernel/principal.ts'
import type { AclRequest, AclVerdict, RateState } from './access.ts'
import type { AuditTrail } from './audit-trail.ts'
import type { Mount } from './mount.ts'
import type { RequestFacts } from './request.ts'

/**
 * What features offer to the request pipeline and to features below them. Each service is filled by one feature, `node`
 * by the composition root.
 */
export type Services = {
  readonly node: NodeService
  readonly seal: SealService
  readonly mounts: MountService
  readonly tokens: TokenService
  readonly policies: PolicyService
  readonly callers: CallerService
  readonly quotas: QuotaService
  readonly origins: OriginService
  readonly audit: AuditTrail
}

/** The process itself. */
export type NodeService = {
  /** True once this process has been told to stop, though it may still serve for a while. */
  isStopping: () => boolean
  /** Gives background work away to another node, if this one leads it. */
  stepDown: () => Promise<void>
  /** Lets every feature do what it does once the keyring is usable. */
  announceUnsealed: () => Promise<void>
  /** What this process has received and not answered yet. */
  requestsInFlight: () => readonly RequestSketch[]
}

/** A request that is not answered yet, as far as anybody may know it who may ask. */
export type RequestSketch = {
  readonly id: string
  readonly receivedAt: Instant
  readonly address: string
  readonly method: string
  /** Without its query; the route where it holds a secret, and empty before it is known whether it does. */
  readonly path: string
  readonly entityId: string
}

/** Whether sealed values can be read. */
export type SealService = {
  status: () => 'uninitialised' | 'sealed' | 'unsealed'
  /** Pending while keys that another process has added are being loaded; to be awaited before anything sealed is read. */
  pendingKeys: () => Promise<void> | undefined
}

/** Where things answer below `/v1`. */
export type MountService = {
  /** The mount that owns a path (given without the prefix). */
  find: (path: string) => Awaitable<Mount | undefined>
}

/** The tokens of `/v1`. */
export type TokenService = {
  /**
   * Turns a token into its principal; throws when it is not valid here and now. A request takes one of its uses, however
   * often this is asked for it.
   */
  authenticate: (token: string, request: RequestFacts) => Awaitable<TokenPrincipal>
  /** Runs after a request: revokes the token whose last use it was, if there is one. */
  revokeUsedUp: (request: RequestFacts) => Promise<void> | undefined
  /** Stores a finished answer behind a one-use token and returns its `wrap_info`. */
  wrapAnswer: (
    answer: Record<string, unknown>,
    terms: { ttl: number; creationPath: string; request: RequestFacts },
  ) => Promise<Record<string, unknown>>
}

/** What tokens may do. */
export type PolicyService = { authorize: (token: TokenPrincipal, request: AclRequest) => Awaitable<AclVerdict> }

/** Who calls `/api/v2` and uses pages. */
export type CallerService = {
  /** Finds the caller by API token, linked token or browser session; undefined for strangers. */
  authenticate: (request: RequestFacts) => Awaitable<ActorPrincipal | undefined>
  /** Who uses a page, by the session of the browser; undefined without one. It does not say that a write may be done. */
  findVisitor: (request: RequestFacts) => Promise<ActorPrincipal | undefined>
  /** The `/v1` token behind a browser's session; empty when there is none. Throws when a write lacks its proof. */
  serviceToken: (request: RequestFacts) => Promise<string>
  takeFromRateLimit: (caller: Principal, request: RequestFacts) => RateState
}

/** Limits of `/v1` by path. */
export type QuotaService = {
  /** Counts a request; throws `rate-limited`. */
  enforce: (request: RequestFacts) => Awaitable<void>
}

/** Whether pages of an origin may call, and which headers they may send beside the usual ones. */
export type OriginVerdict = { readonly allowed: boolean; readonly headers: readonly string[] }

/** Pages of other origins that call `/v1`. */
export type OriginService = {
  /** Says whether browsers may call for pages of this origin; undefined while nobody has set that up. */
  check: (origin: string) => Awaitable<OriginVerdict | undefined>
}
