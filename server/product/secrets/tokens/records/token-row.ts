import { type Instant, instant } from '../../../../kernel/clock.ts'
import { bit } from '../../../../storage/bits.ts'
import type { TokenRow } from '../../../../storage/tables/tokens.ts'
import type { Token } from './token-rules.ts'

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
