import type { TokenType } from '../../../../access/token-plan.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import type { TokenPrincipal } from '../../../../kernel/principal.ts'

/** A token: a stored one, or what a batch token carries. */
export type Token = {
  /** The keyed hash of the token's text. */
  readonly id: string
  readonly type: TokenType
  /** Empty for batch tokens. */
  readonly accessor: string
  /** Empty for orphans. */
  readonly parentId: string
  readonly policies: readonly string[]
  readonly path: string
  readonly displayName: string
  readonly metadata: Readonly<Record<string, string>>
  readonly entityId: string
  readonly role: string
  /** The login id of the auth mount that made it; empty for none. */
  readonly mountId: string
  readonly createdAt: Instant
  readonly expiresAt: Instant | undefined
  readonly creationTtl: number
  readonly explicitMaxTtl: number
  readonly period: number
  readonly renewable: boolean
  readonly lastRenewedAt: Instant | undefined
  /** How often it may be used in all; 0 for no limit. */
  readonly numUses: number
  readonly usesLeft: number
  readonly boundCidrs: readonly string[]
  readonly orphan: boolean
  /** True for the one-use token that carries a wrapped answer. */
  readonly wrapping: boolean
  readonly certificateFingerprint: string
  readonly platformTeam: string
  readonly platformTeamId: string
  /** What is needed to decide about a renewal: by the auth method, or by the token role. */
  readonly authData: Readonly<Record<string, unknown>>
  readonly revoked: boolean
}

/** A token whose ancestors are all alive, and when the first of them, or the token itself, expires. */
export type RootedToken = { readonly token: Token; readonly endsAt: Instant | undefined }

/** What is known about the ancestors of a token, from its parent upwards. */
export type Ancestry = {
  readonly generations: number
  /** False when one of them is revoked, or gone. */
  readonly intact: boolean
  readonly endsAt: Instant | undefined
}

/** Joins a token with its ancestors; undefined when one of them is dead, for then the token is dead too. */
export function rootedIn(token: Token, ancestry: Ancestry | undefined): RootedToken | undefined {
  if (ancestry === undefined) return { token, endsAt: token.expiresAt }
  return ancestry.intact ? { token, endsAt: earlier(token.expiresAt, ancestry.endsAt) } : undefined
}

const earlier = (a: Instant | undefined, b: Instant | undefined): Instant | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a

/** True until the token is revoked, or it or an ancestor expires. */
export const isLiving = ({ token, endsAt }: RootedToken, now: Instant): boolean =>
  !token.revoked && (endsAt === undefined || now < endsAt)

/** True if a living token can be used once more. */
export const hasUses = ({ numUses, usesLeft }: Token): boolean => numUses === 0 || usesLeft > 0

/** True for a token of the root policy. */
const isRoot = ({ policies }: Pick<Token, 'policies'>): boolean => policies.includes('root')

/** Whole seconds a token has left; 0 for one that never expires. */
export const secondsLeft = (expiresAt: Instant | undefined, now: Instant): number =>
  expiresAt === undefined ? 0 : Math.max(0, Math.floor((expiresAt - now) / 1000))

/** The caller behind a token. */
export const principalOf = (token: Token, identityPolicies: readonly string[]): TokenPrincipal => ({
  kind: 'token',
  id: token.id,
  type: token.type,
  accessor: token.accessor,
  displayName: token.displayName,
  policies: token.policies,
  identityPolicies,
  entityId: token.entityId,
  metadata: token.metadata,
  path: token.path,
  parentId: token.parentId,
  root: isRoot(token),
  issuedAt: token.createdAt,
  expiresAt: token.expiresAt,
  ttlSeconds: token.creationTtl,
  renewable: token.renewable,
  remainingUses: token.usesLeft,
  limitedUses: token.numUses > 0,
  boundCidrs: token.boundCidrs,
  certificateFingerprint: token.certificateFingerprint,
  platformTeam: token.platformTeam,
  platformTeamId: token.platformTeamId,
  wrapping: token.wrapping,
})
