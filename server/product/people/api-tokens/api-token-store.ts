import { sql } from 'kysely'
import { presentOrganizations } from '../../../access/permissions/index.ts'
import type { Instant } from '../../../kernel/clock.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import { removedIds } from '../../../kit/removals/index.ts'
import { hotQuery } from '../../../storage/hot.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { containsInAnyCase } from '../../../storage/search.ts'
import { bumpVersion, lockArea } from '../../../storage/versions.ts'
import {
  type ApiToken,
  type ApiTokenId,
  type TokenOrder,
  type TokenOwner,
  type TokenPurpose,
  tokenPurposes,
} from './api-token.ts'

/** A token of `/api/v2`. Exactly one owner column is set, the one that `owner_kind` names. */
interface ApiTokenRow {
  id: string
  hash: string
  hint: string
  owner_kind: string
  user_id: string | null
  team_id: string | null
  organization_id: string | null
  agent_pool_id: string | null
  /** A place that holds one token: the owner's id for its single one, with a description for further ones of a team. */
  slot: string | null
  description: string
  created_by_kind: string
  created_by_id: string
  created_at: number
  last_used_at: number | null
  expires_at: number | null
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    api_tokens: ApiTokenRow
  }
}

const ownerColumns = {
  user: 'user_id',
  team: 'team_id',
  organization: 'organization_id',
  'agent-pool': 'agent_pool_id',
} as const satisfies Record<TokenOwner['kind'], keyof ApiTokenRow>

function ownerOf(row: ApiTokenRow): TokenOwner {
  const kind = row.owner_kind as TokenOwner['kind']
  return { kind, id: row[ownerColumns[kind]] ?? '' }
}

/** Whose token is to be limited, and for what purpose. */
type TokenToLimit = {
  readonly owner: TokenOwner
  readonly organizationId: string
  readonly purpose?: TokenPurpose | undefined
}

/**
 * How long a new token may last, in milliseconds, undefined for as long as it likes. A person's token reaches all
 * organizations of that person, so that the shortest limit counts.
 */
export async function loadTokenLimit(db: Queryable, { owner, organizationId, purpose }: TokenToLimit) {
  if (owner.kind === 'agent-pool') return undefined
  const limiting = presentOrganizations(db).where('max_ttl_enabled', '=', 1)
  if (owner.kind === 'user') {
    const ofUser = limiting
      .innerJoin('organization_memberships as membership', 'membership.organization_id', 'organizations.id')
      .where('membership.user_id', '=', owner.id)
      .where('membership.status', '=', 'active')
    const row = await ofUser.select(({ fn }) => fn.min<number | null>('user_token_ttl').as('limit')).executeTakeFirst()
    return row?.limit == null ? undefined : Number(row.limit)
  }
  const column =
    purpose === undefined ? (`${owner.kind}_token_ttl` as const) : (`${purposeColumns[purpose]}_token_ttl` as const)
  const row = await limiting
    .where('organizations.id', '=', organizationId)
    .select(`${column} as limit`)
    .executeTakeFirst()
  return row && Number(row.limit)
}

const purposeColumns = { 'audit-trails': 'audit_trails' } as const satisfies Record<TokenPurpose, string>

/**
 * Identifiers contain no colon: what follows one is the description of a further token of a team, or the purpose of
 * another owner's token.
 */
function readSlot({ slot, owner_kind }: ApiTokenRow): Pick<ApiToken, 'single' | 'purpose'> {
  const [, rest] = slot?.split(':', 2) ?? []
  const purpose = owner_kind === 'team' ? undefined : tokenPurposes.find((each) => each === rest)
  return { single: slot !== null && (rest === undefined || purpose !== undefined), purpose }
}

const toToken = (row: ApiTokenRow): ApiToken => ({
  id: row.id as ApiTokenId,
  owner: ownerOf(row),
  ...readSlot(row),
  hint: row.hint,
  description: row.description,
  createdBy: { kind: row.created_by_kind, id: row.created_by_id },
  createdAt: row.created_at as Instant,
  lastUsedAt: row.last_used_at as Instant | null,
  expiresAt: row.expires_at as Instant | null,
})

/** The slot of an owner's single token, or of the one for a purpose. */
const singleSlot = (ownerId: string, purpose: TokenPurpose | undefined): string =>
  purpose === undefined ? ownerId : `${ownerId}:${purpose}`

/**
 * The slot of a further token of a team contains its description. People have as many tokens as they like, without
 * slots.
 */
function slotOf({ owner, single, purpose, description }: ApiToken): string | null {
  if (single) return singleSlot(owner.id, purpose)
  return owner.kind === 'team' ? `${owner.id}:${description}` : null
}

/** Stores a token under its hash. An owner's single token replaces the one before, which is returned. */
export async function insertToken(tx: Tx, token: ApiToken, hash: string): Promise<ApiToken | undefined> {
  const { owner } = token
  const replaced = token.single ? await deleteSingleToken(tx, owner.id, token.purpose) : undefined
  await tx
    .insertInto('api_tokens')
    .values({
      id: token.id,
      hash,
      hint: token.hint,
      owner_kind: owner.kind,
      [ownerColumns[owner.kind]]: owner.id,
      slot: slotOf(token),
      description: token.description,
      created_by_kind: token.createdBy.kind,
      created_by_id: token.createdBy.id,
      created_at: token.createdAt,
      last_used_at: token.lastUsedAt,
      expires_at: token.expiresAt,
    })
    .execute()
  return replaced
}

/** The area is locked, so that of two new single tokens the later one finds the earlier. */
async function deleteSingleToken(
  tx: Tx,
  ownerId: string,
  purpose: TokenPurpose | undefined,
): Promise<ApiToken | undefined> {
  await lockArea(tx, 'api-tokens')
  const slot = singleSlot(ownerId, purpose)
  const row = await tx.deleteFrom('api_tokens').where('slot', '=', slot).returningAll().executeTakeFirst()
  bumpVersion(tx, 'api-tokens')
  return row && toToken(row)
}

/** The token with this id. */
export async function loadToken(db: Queryable, id: string): Promise<ApiToken | undefined> {
  const row = await db.selectFrom('api_tokens').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toToken(row)
}

/** The token of an agent pool with this hash. */
export async function loadAgentToken(db: Queryable, hash: string): Promise<ApiToken | undefined> {
  const row = await db
    .selectFrom('api_tokens')
    .selectAll()
    .where('hash', '=', hash)
    .where('owner_kind', '=', 'agent-pool')
    .executeTakeFirst()
  return row && toToken(row)
}

/** The single token of an owner, or the one for a purpose. */
export async function loadSingleToken(
  db: Queryable,
  ownerId: string,
  purpose?: TokenPurpose,
): Promise<ApiToken | undefined> {
  const slot = singleSlot(ownerId, purpose)
  const row = await db.selectFrom('api_tokens').selectAll().where('slot', '=', slot).executeTakeFirst()
  return row && toToken(row)
}

/** Which page of a list of tokens, in which order; newest first by default. */
type TokenRange = {
  readonly offset: number
  readonly limit: number
  readonly sort?: { readonly key: TokenOrder; readonly descending: boolean } | undefined
}

const orderColumns = {
  'team-name': 'teams.name',
  'created-by': 'created_by_id',
  'created-at': 'api_tokens.created_at',
  'expired-at': 'expires_at',
  'last-used-at': 'last_used_at',
} as const

/** A page of tokens of these owners, and how many there are. Tokens without the time that is sorted by come last. */
export async function listTokens(
  db: Queryable,
  owners: { readonly kind: TokenOwner['kind']; readonly ids: readonly string[] },
  { offset, limit, sort }: TokenRange,
): Promise<{ tokens: ApiToken[]; total: number }> {
  const query = db
    .selectFrom('api_tokens')
    .leftJoin('teams', 'teams.id', 'api_tokens.team_id')
    .where(`api_tokens.${ownerColumns[owners.kind]}`, 'in', owners.ids)
  const { total } = await query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const ordered = query
    .selectAll('api_tokens')
    .orderBy(orderColumns[sort?.key ?? 'created-at'], (order) =>
      ((sort?.descending ?? true) ? order.desc() : order.asc()).nullsLast(),
    )
    .orderBy('api_tokens.id')
  const rows = await ordered.limit(limit).offset(offset).execute()
  return { tokens: rows.map(toToken), total: Number(total) }
}

/** Removes a token: it stops working with the commit. False when it was gone already. */
export async function deleteToken(tx: Tx, id: string): Promise<boolean> {
  const result = await tx.deleteFrom('api_tokens').where('id', '=', id).executeTakeFirst()
  bumpVersion(tx, 'api-tokens')
  return result.numDeletedRows === 1n
}

/** Removes the tokens with these ids; returns how many there were. */
export async function deleteTokens(tx: Tx, ids: readonly string[]): Promise<number> {
  const result = await tx.deleteFrom('api_tokens').where('id', 'in', ids).executeTakeFirst()
  bumpVersion(tx, 'api-tokens')
  return Number(result.numDeletedRows)
}

/** Notes when a token was used. */
export async function touchToken(db: Queryable, id: string, at: Instant): Promise<void> {
  await db.updateTable('api_tokens').set({ last_used_at: at }).where('id', '=', id).execute()
}

/** The teams of an organization that have tokens; all, or those whose name contains a text. */
export async function listTeamIds(db: Queryable, organizationId: string, text?: string): Promise<string[]> {
  const teams = db
    .selectFrom('teams')
    .select('teams.id')
    .where('organization_id', '=', organizationId)
    .where('teams.id', 'in', ({ selectFrom }) =>
      selectFrom('api_tokens').select('team_id').where('team_id', 'is not', null).$castTo<{ team_id: string }>(),
    )
  const rows = await (text === undefined ? teams : teams.where(containsInAnyCase('name', text))).execute()
  return rows.map(({ id }) => id)
}

/** The organization of an agent pool; empty if there is no such pool. */
export async function organizationOfPool(db: Queryable, poolId: string): Promise<string> {
  const row = await db.selectFrom('agent_pools').select('organization_id').where('id', '=', poolId).executeTakeFirst()
  return row?.organization_id ?? ''
}

/** A token in use: when it ends, and who it acts for. */
export type TokenInUse = {
  readonly id: string
  readonly expiresAt: Instant | null
  readonly lastUsedAt: Instant | null
  readonly actor: ActorPrincipal
}

type FoundToken = {
  id: string
  owner_kind: string
  user_id: string | null
  team_id: string | null
  organization_id: string | null
  expires_at: number | null
  last_used_at: number | null
  username: string | null
  site_admin: number | null
  suspended: number | null
  team_name: string | null
  team_organization_id: string | null
  organization_name: string | null
}

const byHash = hotQuery<{ hash: string }, FoundToken>('api-tokens.by-hash', (db, { hash }) =>
  db
    .selectFrom('api_tokens as token')
    .leftJoin('users', 'users.id', 'token.user_id')
    .leftJoin('teams', 'teams.id', 'token.team_id')
    .leftJoin('organizations', 'organizations.id', 'token.organization_id')
    .where('token.hash', '=', hash)
    .where(
      ({ fn }) => fn.coalesce('teams.organization_id', 'token.organization_id', sql.lit('')),
      'not in',
      removedIds(db, 'organization'),
    )
    .select(['token.id', 'token.owner_kind', 'token.user_id', 'token.team_id', 'token.organization_id'])
    .select(['token.expires_at', 'token.last_used_at', 'users.username', 'users.site_admin', 'users.suspended'])
    .select(['teams.name as team_name', 'teams.organization_id as team_organization_id'])
    .select('organizations.name as organization_name'),
)

/** The token with this hash and who it acts for, in one query; undefined if its person is suspended. */
export async function findTokenInUse(db: Queryable, hash: string): Promise<TokenInUse | undefined> {
  const row = await byHash.first(db, { hash })
  if (!row || row.suspended === 1) return undefined
  return {
    id: row.id,
    expiresAt: row.expires_at as Instant | null,
    lastUsedAt: row.last_used_at as Instant | null,
    actor: actorOf(row),
  }
}

function actorOf(row: FoundToken): ActorPrincipal {
  const common = { tokenId: row.id, via: 'api-token' } as const
  if (row.owner_kind === 'user') {
    const siteAdmin = row.site_admin === 1
    return { ...common, kind: 'user', id: row.user_id ?? '', name: row.username ?? '', organizationId: '', siteAdmin }
  }
  const organizationId = row.team_organization_id ?? row.organization_id ?? ''
  return row.owner_kind === 'team'
    ? { ...common, kind: 'team', id: row.team_id ?? '', name: row.team_name ?? '', organizationId, siteAdmin: false }
    : {
        ...common,
        kind: 'organization',
        id: organizationId,
        name: row.organization_name ?? '',
        organizationId,
        siteAdmin: false,
      }
}
