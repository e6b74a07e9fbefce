import { type Instant, instant } from '../../../../kernel/clock.ts'
import { bit } from '../../../../storage/bits.ts'
import type { Token } from './token-rules.ts'

/** A service token. Its text is nowhere: `id` is a keyed hash of it. */
export interface TokenRow {
  id: string
  accessor: string
  /** Empty for orphans. */
  parent_id: string
  policies: string
  path: string
  display_name: string
  metadata: string
  entity_id: string
  /** The token role it was made with; empty for none. */
  role: string
  /** The auth mount whose login made it; empty for none. */
  mount_id: string
  created_at: number
  /** Null never expires. */
  expires_at: number | null
  creation_ttl: number
  explicit_max_ttl: number
  period: number
  renewable: number
  last_renewed_at: number | null
  /** How often it may be used in all; 0 without limit. */
  num_uses: number
  uses_left: number
  bound_cidrs: string
  orphan: number
  wrapping: number
  certificate_fingerprint: string
  platform_team: string
  /** The team that had this name when the role was written; empty for none. */
  platform_team_id: string
  /** What its auth method needs to judge a renewal. */
  auth_data: string
  /** Set while it is being revoked: it is dead, what hangs on it is being removed. */
  revoked: number
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    tokens: TokenRow
  }
}

const time = (milliseconds: number | null): Instant | undefined =>
  milliseconds === null ? undefined : instant(milliseconds)

/** A row as the rest of the feature sees it. */
export const toToken = (row: TokenRow): Token => ({
  id: row.id,
  type: 'service',
  accessor: row.accessor,
  parentId: row.parent_id,
  policies: JSON.parse(row.policies) as string[],
  path: row.path,
  displayName: row.display_name,
  metadata: JSON.parse(row.metadata) as Record<string, string>,
  entityId: row.entity_id,
  role: row.role,
  mountId: row.mount_id,
  createdAt: instant(row.created_at),
  expiresAt: time(row.expires_at),
  creationTtl: row.creation_ttl,
  explicitMaxTtl: row.explicit_max_ttl,
  period: row.period,
  renewable: row.renewable === 1,
  lastRenewedAt: time(row.last_renewed_at),
  numUses: row.num_uses,
  usesLeft: row.uses_left,
  boundCidrs: JSON.parse(row.bound_cidrs) as string[],
  orphan: row.orphan === 1,
  wrapping: row.wrapping === 1,
  certificateFingerprint: row.certificate_fingerprint,
  platformTeam: row.platform_team,
  platformTeamId: row.platform_team_id,
  authData: JSON.parse(row.auth_data) as Record<string, unknown>,
  revoked: row.revoked === 1,
})

/** A token as it is stored. */
export const toRow = (token: Token): TokenRow => ({
  id: token.id,
  accessor: token.accessor,
  parent_id: token.parentId,
  policies: JSON.stringify(token.policies),
  path: token.path,
  display_name: token.displayName,
  metadata: JSON.stringify(token.metadata),
  entity_id: token.entityId,
  role: token.role,
  mount_id: token.mountId,
  created_at: token.createdAt,
  expires_at: token.expiresAt ?? null,
  creation_ttl: token.creationTtl,
  explicit_max_ttl: token.explicitMaxTtl,
  period: token.period,
  renewable: bit(token.renewable),
  last_renewed_at: token.lastRenewedAt ?? null,
  num_uses: token.numUses,
  uses_left: token.usesLeft,
  bound_cidrs: JSON.stringify(token.boundCidrs),
  orphan: bit(token.orphan),
  wrapping: bit(token.wrapping),
  certificate_fingerprint: token.certificateFingerprint,
  platform_team: token.platformTeam,
  platform_team_id: token.platformTeamId,
  auth_data: JSON.stringify(token.authData),
  revoked: bit(token.revoked),
})
