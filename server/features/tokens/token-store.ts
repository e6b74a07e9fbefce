import { type Instant, instant } from '../../kernel/clock.ts'
import { hotQuery } from '../../storage/hot.ts'
import type { Queryable, Tx } from '../../storage/open.ts'
import type { TokenRow } from '../../storage/tables/tokens.ts'
import type { Token } from './token-rules.ts'

const byId = hotQuery('tokens.by-id', (db, by: { id: string }) =>
  db.selectFrom('tokens').selectAll().where('id', '=', by.id),
)

/** A token by the keyed hash of its text. */
export async function findToken(db: Queryable, id: string): Promise<Token | undefined> {
  const row = await byId.first(db, { id })
  return row && toToken(row)
}

/** A token by its accessor. */
export async function findTokenByAccessor(db: Queryable, accessor: string): Promise<Token | undefined> {
  const row = await db.selectFrom('tokens').selectAll().where('accessor', '=', accessor).executeTakeFirst()
  return row && toToken(row)
}

/** Stores a new token. */
export async function insertToken(tx: Tx, token: Token): Promise<void> {
  await tx.insertInto('tokens').values(toRow(token)).execute()
}

/** Takes one use. False when none was left, however many callers try at once. */
export async function takeUse(db: Queryable, id: string): Promise<number | undefined> {
  const row = await db
    .updateTable('tokens')
    .set((set) => ({ uses_left: set('uses_left', '-', 1) }))
    .where('id', '=', id)
    .where('uses_left', '>', 0)
    .where('revoked', '=', 0)
    .returning('uses_left')
    .executeTakeFirst()
  return row?.uses_left
}

const time = (milliseconds: number | null): Instant | undefined =>
  milliseconds === null ? undefined : instant(milliseconds)

/** A row as the rest of the feature sees it. */
export const toToken = (row: TokenRow): Token => ({
  id: row.id,
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
  authData: JSON.parse(row.auth_data) as Record<string, unknown>,
  revoked: row.revoked === 1,
})

const toRow = (token: Token): TokenRow => ({
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
  renewable: token.renewable ? 1 : 0,
  last_renewed_at: token.lastRenewedAt ?? null,
  num_uses: token.numUses,
  uses_left: token.usesLeft,
  bound_cidrs: JSON.stringify(token.boundCidrs),
  orphan: token.orphan ? 1 : 0,
  wrapping: token.wrapping ? 1 : 0,
  certificate_fingerprint: token.certificateFingerprint,
  platform_team: token.platformTeam,
  auth_data: JSON.stringify(token.authData),
  revoked: token.revoked ? 1 : 0,
})
