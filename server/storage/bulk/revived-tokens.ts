import { type DatabaseNames, type Statement, statement } from './statement.ts'
import { endedTokens } from './table-shape.ts'

/** How many rows of a kind there are now, and how many of them are valid again that were not before. */
export type RestoredCounts = { readonly restored: number; readonly revived: number }

/** The tables whose rows let somebody in. */
export const tokenTables = ['tokens', 'api_tokens', 'sessions'] as const

/** One of them. */
export type TokenTable = (typeof tokenTables)[number]

/** Both counts of each kind. */
export const tokenCounts = (
  restored: Readonly<Record<TokenTable, number>>,
  revived: Readonly<Record<TokenTable, number>>,
): Record<TokenTable, RestoredCounts> => {
  const both = (table: TokenTable) => ({ restored: restored[table], revived: revived[table] })
  return { tokens: both('tokens'), api_tokens: both('api_tokens'), sessions: both('sessions') }
}

/** Who asked for a revocation, and must be able to go on after it: with all other tokens gone, nobody could. */
export type Caller = {
  /** The service token it hangs on: its own, or the parent of a batch token; empty if that has none. */
  readonly tokenId: string
  /** Batch tokens have no row: they are valid as long as the keys stay. */
  readonly batch: boolean
}

/** What came of a revocation. */
export type Revocation = {
  /** False if nothing was revoked, since the token of the caller is not valid any more. */
  readonly isDone: boolean
  /** How many came back and were spared: the token of the caller and its parents. */
  readonly spared: number
}

/**
 * Notes the tokens that are valid after the restore and were not before it: gone, ended or revoked meanwhile. `among` is
 * a query of those that may be, if not all.
 */
export function noteRevived(
  { live, scratch }: DatabaseNames,
  table: TokenTable,
  { now, into, among }: { now: number; into: string; among?: string },
): Statement {
  const isValid = (row: string, place: string) =>
    `(${row}.expires_at is null or ${row}.expires_at > ?)${table === 'tokens' ? ` and ${isUnrevoked(row, place)}` : ''}`
  return statement(
    `insert into ${into}.restored_tokens (kind, id) select '${table}', s.id from ${scratch}.${table} s where ${isValid('s', scratch)} ` +
      `and not exists (select 1 from ${live}.${table} l where l.id = s.id and ${isValid('l', live)})` +
      (among ? ` and s.id in (${among}) on conflict do nothing` : ''),
    [now, now],
  )
}

/** The same once more, for those that have ended since. The note of them is in the database `noted`. */
export function noteRevivedSince(
  names: DatabaseNames,
  table: TokenTable,
  { now, into, noted }: { now: number; into: string; noted: string },
): Statement {
  const own = `select id from ${noted}.${endedTokens} where kind = '${table}'`
  const among = table === 'tokens' ? `${own} union all ${endedWithOthers(names)}` : own
  return noteRevived(names, table, { now, into, among })
}

/** A token that was not revoked, neither itself nor with its path, and that comes from no login at a mount that is gone. */
const isUnrevoked = (row: string, place: string): string =>
  `${row}.revoked = 0 and (${row}.expires_at is null or not exists (select 1 from ${place}.revoked_paths p where ` +
  `p.until >= ${row}.created_at and (${row}.path = p.path or (${row}.path > p.path || '/' and ${row}.path < p.path || '0')))) ` +
  `and (${row}.mount_id = '' or ${row}.mount_id in (${loginIds(place)}))`

/** What tokens of logins carry of their mount. */
const loginIds = (place: string): string =>
  `select case when m.login_id = '' then m.id else m.login_id end as id from ${place}.mounts m`

/**
 * Contains the tokens that have ended in the store although their rows are as they were: with their path, or their mount.
 * It says of tokens with a path what their index says, which planners do not see otherwise. SQLite takes tables that are
 * joined crosswise in this order: paths and mounts are few.
 */
const endedWithOthers = ({ live, scratch }: DatabaseNames): string =>
  `select t.id from ${live}.revoked_paths p cross join ${live}.tokens t ` +
  `where t.path >= p.path and t.path < p.path || '0' and t.revoked = 0 and t.expires_at is not null ` +
  `union all select t.id from (${loginIds(scratch)} except ${loginIds(live)}) as gone cross join ${scratch}.tokens t ` +
  'where t.mount_id = gone.id'

/** A token and its ancestors. */
const lineOf = (live: string): string =>
  `with recursive line as (select id, parent_id, revoked, expires_at from ${live}.tokens where id = ? union ` +
  `select t.id, t.parent_id, t.revoked, t.expires_at from ${live}.tokens t join line on t.id = line.parent_id)`

const revivedIds = (live: string, table: TokenTable): string =>
  `(select id from ${live}.restored_tokens where kind = '${table}')`

/** Looks at what the caller hangs on, once the tables are replaced. */
export const lineStatement = (live: string, { tokenId }: Caller, now: number): Statement =>
  statement(
    `${lineOf(live)} select coalesce(sum(case when parent_id = '' then 1 else 0 end), 0) as tops, ` +
      'coalesce(sum(case when revoked = 1 or expires_at <= ? then 1 else 0 end), 0) as dead, ' +
      `coalesce(sum(case when id in ${revivedIds(live, 'tokens')} then 1 else 0 end), 0) as revived from line`,
    [tokenId, now],
  )

/** The row of that statement. */
export type LineRow = { readonly tops?: unknown; readonly dead?: unknown; readonly revived?: unknown }

/** Whether the revocation can be done: the line of the caller ends at an orphan, and none of it is dead. */
export function judgeRevocation(
  { tokenId, batch }: Caller,
  { tops, dead, revived }: LineRow,
  keysStay: boolean,
): Revocation {
  const hangsOnLiving = Number(tops) === 1 && Number(dead) === 0
  const isDone = batch ? keysStay && (tokenId === '' || hangsOnLiving) : hangsOnLiving
  return { isDone, spared: isDone ? Number(revived) : 0 }
}

/** Ends what only came back through the restore. Service tokens are marked, so that what hangs on them is removed too. */
export const revocationStatements = (live: string, { tokenId }: Caller): Statement[] => {
  const revived = (table: TokenTable) => `id in ${revivedIds(live, table)}`
  return [
    statement(
      `update ${live}.tokens set revoked = 1 where ${revived('tokens')} and id not in (${lineOf(live)} select id from line)`,
      [tokenId],
    ),
    statement(`delete from ${live}.api_tokens where ${revived('api_tokens')}`),
    // References are off in SQLite here, so the codes of these sessions do not go by themselves.
    statement(`delete from ${live}.oauth_codes where session_${revived('sessions')}`),
    statement(`delete from ${live}.sessions where ${revived('sessions')}`),
  ]
}

/** How many rows of a kind the restored data has. */
export const countRowsStatement = (scratch: string, table: TokenTable): Statement =>
  statement(`select count(*) as count from ${scratch}.${table}`)

/** How many of them came back to life. */
export const countRevivedStatement = (live: string, table: TokenTable): Statement =>
  statement(`select count(*) as count from ${live}.restored_tokens where kind = '${table}'`)
