import type { Instant } from '../../kernel/clock.ts'
import type { TokenPrincipal } from '../../kernel/principal.ts'

/** A service token as it is stored. */
export type Token = {
  readonly id: string
  readonly accessor: string
  readonly parentId: string
  readonly policies: readonly string[]
  readonly path: string
  readonly displayName: string
  readonly metadata: Readonly<Record<string, string>>
  readonly entityId: string
  readonly role: string
  readonly mountId: string
  readonly createdAt: Instant
  readonly expiresAt: Instant | undefined
  readonly creationTtl: number
  readonly explicitMaxTtl: number
  readonly period: number
  readonly renewable: boolean
  readonly lastRenewedAt: Instant | undefined
  readonly numUses: number
  readonly usesLeft: number
  readonly boundCidrs: readonly string[]
  readonly orphan: boolean
  readonly wrapping: boolean
  readonly certificateFingerprint: string
  readonly platformTeam: string
  readonly authData: Readonly<Record<string, unknown>>
  readonly revoked: boolean
}

/** Prefixes that let people and log scanners tell tokens apart. */
export const servicePrefix = 'hfs.'
export const batchPrefix = 'hfb.'

/** True while a token can be used: not revoked, not expired, not used up. */
export const isAlive = (token: Token, now: Instant): boolean =>
  !token.revoked &&
  (token.expiresAt === undefined || now < token.expiresAt) &&
  (token.numUses === 0 || token.usesLeft > 0)

/** Whole seconds a token has left; 0 for one that never expires. */
export const secondsLeft = (expiresAt: Instant | undefined, now: Instant): number =>
  expiresAt === undefined ? 0 : Math.max(0, Math.floor((expiresAt - now) / 1000))

/** The caller behind a stored token. */
export const principalOf = (token: Token, identityPolicies: readonly string[], usesLeft: number): TokenPrincipal => ({
  kind: 'token',
  id: token.id,
  type: 'service',
  accessor: token.accessor,
  displayName: token.displayName,
  policies: token.policies,
  identityPolicies,
  entityId: token.entityId,
  metadata: token.metadata,
  path: token.path,
  parentId: token.parentId,
  root: token.policies.includes('root'),
  issuedAt: token.createdAt,
  expiresAt: token.expiresAt,
  ttlSeconds: token.creationTtl,
  renewable: token.renewable,
  remainingUses: usesLeft,
  limitedUses: token.numUses > 0,
  boundCidrs: token.boundCidrs,
  certificateFingerprint: token.certificateFingerprint,
  platformTeam: token.platformTeam,
  wrapping: token.wrapping,
})
