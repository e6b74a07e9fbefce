import type { Awaitable } from '../kernel/awaitable.ts'
import type { ActorPrincipal, Principal, TokenPrincipal } from '../kernel/principal.ts'
import type { AclQuestion, AclVerdict, RateState } from './access.ts'
import type { AuditTrail } from './audit-trail.ts'
import type { Mount } from './mount.ts'
import type { RequestFacts } from './request.ts'

/** Whether pages of an origin may call, and which headers they may send beside the usual ones. */
export type OriginVerdict = { readonly allowed: boolean; readonly headers: readonly string[] }

/**
 * The points where features meet the request pipeline, and where a feature serves one below it without being imported
 * by it. Each point is filled by exactly one feature.
 */
export type Hooks = {
  /** True once this process has been told to stop, though it may still serve for a while. */
  isStopping: () => boolean
  sealStatus: () => 'uninitialised' | 'sealed' | 'unsealed'
  /** Pending while keys that another process has added are being loaded; to be awaited before anything sealed is read. */
  pendingKeys: () => Promise<void> | undefined
  /** The mount that owns a path of `/v1` (given without the prefix). */
  findMount: (path: string) => Awaitable<Mount | undefined>
  /**
   * Turns a `/v1` token into its principal; throws when it is not valid here and now. A request takes one of its uses,
   * however often this is asked for it.
   */
  authenticateToken: (token: string, request: RequestFacts) => Awaitable<TokenPrincipal>
  /** Runs after a request: revokes the token whose last use it was, if there is one. */
  revokeUsedUp: (request: RequestFacts) => Promise<void> | undefined
  /** Finds who calls `/api/v2`: by API token, linked token or browser session; undefined for strangers. */
  authenticateActor: (request: RequestFacts) => Awaitable<ActorPrincipal | undefined>
  /** Who uses a page, by the session of the browser; undefined without one. It does not say that a write may be done. */
  findVisitor: (request: RequestFacts) => Promise<ActorPrincipal | undefined>
  /** The `/v1` token behind a browser's session; empty when there is none. Throws when a write lacks its proof. */
  sessionServiceToken: (request: RequestFacts) => Promise<string>
  authorize: (token: TokenPrincipal, question: AclQuestion) => Awaitable<AclVerdict>
  /** Stores a finished answer behind a one-use token and returns its `wrap_info`. */
  wrapAnswer: (
    answer: Record<string, unknown>,
    terms: { ttl: number; creationPath: string; request: RequestFacts },
  ) => Promise<Record<string, unknown>>
  consumeRateLimit: (caller: Principal, request: RequestFacts) => RateState
  /** Limits of `/v1` by path; throws `rate-limited`. */
  enforceQuota: (request: RequestFacts) => Awaitable<void>
  /** Says whether browsers may call `/v1` for pages of another origin; undefined while nobody has set that up. */
  checkOrigin: (origin: string) => Awaitable<OriginVerdict | undefined>
  /** Gives background work away to another node, if this one leads it. */
  stepDown: () => Promise<void>
  /** Lets every feature do what it does once the keyring is usable. */
  announceUnsealed: () => Promise<void>
  audit: AuditTrail
}
