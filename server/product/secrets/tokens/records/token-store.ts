import { type Instant, instant } from '../../../../kernel/clock.ts'
import { bit } from '../../../../storage/bits.ts'
import { hotQuery } from '../../../../storage/hot.ts'
import type { Db, Queryable, Tx } from '../../../../storage/open.ts'
import { deadFlag } from './revoked-path-store.ts'
import { type Ancestry, type RootedToken, rootedIn, type Token } from './token.ts'

/** A service token. Its text is nowhere: `id` is a keyed hash of it. */
interface TokenRow {
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
  /** Set while it is being revoked: it is dead, what hangs on it is being removed. See also `deadFlag`. */
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
const toToken = (row: TokenRow & { is_dead: number }): Token => ({
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
  revoked: row.is_dead === 1,
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

const wholeTokens = (db: Queryable) => db.selectFrom('tokens').selectAll().select(deadFlag('tokens').as('is_dead'))

const byId = hotQuery('tokens.by-id', (db, by: { id: string }) => wholeTokens(db).where('id', '=', by.id))

/** A token by the keyed hash of its text. */
export async function findToken(db: Queryable, id: string): Promise<Token | undefined> {
  const row = await byId.first(db, { id })
  return row && toToken(row)
}

/** A token by its accessor. */
export async function findTokenByAccessor(db: Queryable, accessor: string): Promise<Token | undefined> {
  if (accessor === '') return undefined
  const row = await wholeTokens(db).where('accessor', '=', accessor).executeTakeFirst()
  return row && toToken(row)
}

const ancestryOf = (db: Db, by: { id: string }) =>
  db
    .withRecursive('line', (line) =>
      line
        .selectFrom('tokens')
        .select(['id', 'parent_id', deadFlag('tokens').as('is_dead'), 'expires_at'])
        .where('id', '=', by.id)
        .unionAll(
          line
            .selectFrom('tokens')
            .innerJoin('line', 'line.parent_id', 'tokens.id')
            .select(['tokens.id', 'tokens.parent_id', deadFlag('tokens').as('is_dead'), 'tokens.expires_at']),
        ),
    )
    .selectFrom('line')
    .select((eb) => [
      eb.fn.countAll<number>().as('generations'),
      eb.fn.min('line.parent_id').as('top'),
      eb.fn.max('line.is_dead').as('dead'),
      eb.fn.min('line.expires_at').as('expires_at'),
    ])

const ancestryQuery = hotQuery('tokens.line', (db, by: { id: string }) => ancestryOf(db, by))

const ancestryForShareQuery = hotQuery('tokens.line-kept', (db, by: { id: string }) =>
  ancestryOf(db, by).innerJoin(
    (eb) => eb.selectFrom('tokens').select('id as kept_id').where('id', '=', by.id).forKeyShare().as('kept'),
    (join) => join.onTrue(),
  ),
)

/**
 * The ancestors of a token, from this one upwards. The line is intact if it ends at an orphan and none of them is dead.
 */
const loadAncestry = async (db: Queryable, id: string): Promise<Ancestry> =>
  toAncestry(await ancestryQuery.first(db, { id }))

/**
 * The same, and the token cannot be removed before this transaction ends. Others may lock it in the same way meanwhile.
 */
export const lockAncestryForShare = async (tx: Tx, id: string): Promise<Ancestry> =>
  toAncestry(await ancestryForShareQuery.first(tx, { id }))

type AncestryRow = { generations: number; top: string; dead: number; expires_at: number | null }

function toAncestry(row: AncestryRow | undefined): Ancestry {
  const endsAt = row?.expires_at === null || row?.expires_at === undefined ? undefined : instant(row.expires_at)
  return { generations: Number(row?.generations ?? 0), intact: row?.top === '' && Number(row.dead) === 0, endsAt }
}

/** A token with the time at which it or an ancestor expires; undefined when an ancestor is dead. */
export async function withAncestry(db: Queryable, token: Token): Promise<RootedToken | undefined> {
  return rootedIn(token, token.parentId === '' ? undefined : await loadAncestry(db, token.parentId))
}

/** What is known of a login by the token that it issued. */
export type LoginOfToken = Pick<Token, 'path' | 'mountId' | 'metadata'>

/** The login that a line of tokens began with, from this one upwards; undefined if it began otherwise. */
export async function findLoginAbove(db: Queryable, id: string): Promise<LoginOfToken | undefined> {
  const row = await db
    .withRecursive('line', (line) =>
      line
        .selectFrom('tokens')
        .select(['id', 'parent_id'])
        .where('id', '=', id)
        .unionAll(
          line
            .selectFrom('tokens')
            .innerJoin('line', 'line.parent_id', 'tokens.id')
            .select(['tokens.id', 'tokens.parent_id']),
        ),
    )
    .selectFrom('line')
    .innerJoin('tokens', 'tokens.id', 'line.id')
    .select(['tokens.path', 'tokens.mount_id', 'tokens.metadata'])
    .where('tokens.mount_id', '<>', '')
    .executeTakeFirst()
  return row && { path: row.path, mountId: row.mount_id, metadata: JSON.parse(row.metadata) as Record<string, string> }
}

const insert = hotQuery('tokens.insert', (db, row: TokenRow) =>
  db
    .insertInto('tokens')
    .values(Object.fromEntries(columns.map((name) => [name, row[name]])) as Pick<TokenRow, keyof TokenRow>),
)

const columns: readonly (keyof TokenRow)[] = [
  'id',
  'accessor',
  'parent_id',
  'policies',
  'path',
  'display_name',
  'metadata',
  'entity_id',
  'role',
  'mount_id',
  'created_at',
  'expires_at',
  'creation_ttl',
  'explicit_max_ttl',
  'period',
  'renewable',
  'last_renewed_at',
  'num_uses',
  'uses_left',
  'bound_cidrs',
  'orphan',
  'wrapping',
  'certificate_fingerprint',
  'platform_team',
  'platform_team_id',
  'auth_data',
  'revoked',
]

/** Stores a new token: a single statement, which needs no transaction. */
export async function insertToken(db: Queryable, token: Token): Promise<void> {
  await insert.run(db, toRow(token))
}

/** Stores a new token as the last thing that a transaction does. */
export const insertTokenAtEnd = async (tx: Tx, token: Token): Promise<void> =>
  await insert.runBeforeCommit(tx, toRow(token))

const takeUseQuery = hotQuery('tokens.take-use', (db, by: { id: string }) =>
  db
    .updateTable('tokens')
    .set((set) => ({ uses_left: set('uses_left', '-', 1) }))
    .where('id', '=', by.id)
    .where('uses_left', '>', 0)
    .where(deadFlag('tokens'), '=', 0)
    .returning('uses_left'),
)

/** Takes one use; returns how many are left, or undefined when there was none, however many callers try at once. */
export async function takeUse(db: Queryable, id: string): Promise<number | undefined> {
  return (await takeUseQuery.first(db, { id }))?.uses_left
}

/** Sets a new end of a token; false, and unchanged, if it was revoked meanwhile. */
export async function extendToken(
  db: Queryable,
  id: string,
  renewal: { at: Instant; expiresAt: Instant; period: number; explicitMaxTtl: number },
): Promise<boolean> {
  const result = await db
    .updateTable('tokens')
    .set({
      expires_at: renewal.expiresAt,
      last_renewed_at: renewal.at,
      period: renewal.period,
      explicit_max_ttl: renewal.explicitMaxTtl,
    })
    .where('id', '=', id)
    .where(deadFlag('tokens'), '=', 0)
    .where('expires_at', '>', renewal.at)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
