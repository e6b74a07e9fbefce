import { asSealed, type Sealed } from '../../../../crypto/keyring.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import { inSteps } from '../../../../storage/batches.ts'
import { hotQuery } from '../../../../storage/hot.ts'
import type { IdQuery, Queryable, Tx } from '../../../../storage/open.ts'
import { bumpVersion } from '../../../../storage/versions.ts'

/** A browser that is signed in. */
interface SessionRow {
  id: string
  hash: string
  user_id: string
  created_at: number
  last_seen_at: number
  expires_at: number
  remote_address: string
  user_agent: string
  /** The `/v1` token the person signed in with, sealed; null for passwords. */
  service_token: Uint8Array | null
  /** The user token the person signed in with; null for anything else. */
  api_token_id: string | null
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    sessions: SessionRow
  }
}

/** A browser that is signed in, and the person it is signed in as. */
export type Session = {
  readonly id: string
  readonly userId: string
  readonly username: string
  readonly siteAdmin: boolean
  readonly createdAt: Instant
  readonly lastSeenAt: Instant
  readonly expiresAt: Instant
  readonly serviceToken: Sealed | null
  /** The user token it was started with; null for none. */
  readonly apiTokenId: string | null
}

/** A session to be stored. */
type NewSession = Omit<Session, 'username' | 'siteAdmin'> & {
  readonly hash: string
  readonly remoteAddress: string
  readonly userAgent: string
}

type FoundSession = {
  id: string
  user_id: string
  username: string
  site_admin: number
  created_at: number
  last_seen_at: number
  expires_at: number
  service_token: Uint8Array | null
  api_token_id: string | null
}

const sessionBy = (db: Queryable, column: 'sessions.hash' | 'sessions.id', value: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where(column, '=', value)
    .where('users.suspended', '=', 0)
    .select(['sessions.id', 'sessions.user_id', 'users.username', 'users.site_admin'])
    .select(['sessions.created_at', 'sessions.last_seen_at', 'sessions.expires_at'])
    .select(['sessions.service_token', 'sessions.api_token_id'])

const byHash = hotQuery<{ hash: string }, FoundSession>('sessions.by-hash', (db, { hash }) =>
  sessionBy(db, 'sessions.hash', hash),
)

/** The session with this hash, expired or not; undefined if its person is suspended. */
export async function findSession(db: Queryable, hash: string): Promise<Session | undefined> {
  const row = await byHash.first(db, { hash })
  return row && toSession(row)
}

/** The session with this id, expired or not; undefined if its person is suspended. */
export async function loadSession(db: Queryable, id: string): Promise<Session | undefined> {
  const row = await sessionBy(db, 'sessions.id', id).executeTakeFirst()
  return row && toSession(row)
}

const toSession = (row: FoundSession): Session => ({
  id: row.id,
  userId: row.user_id,
  username: row.username,
  siteAdmin: row.site_admin === 1,
  createdAt: row.created_at as Instant,
  lastSeenAt: row.last_seen_at as Instant,
  expiresAt: row.expires_at as Instant,
  serviceToken: row.service_token === null ? null : asSealed(row.service_token),
  apiTokenId: row.api_token_id,
})

/** A session as its person sees it among others. */
export type ListedSession = Pick<Session, 'id' | 'createdAt' | 'lastSeenAt' | 'expiresAt'> & {
  readonly remoteAddress: string
  readonly userAgent: string
  readonly signedInWith: 'password' | 'api-token' | 'service-token'
}

/** The sessions of a person that end later than this and were used since then, the last used first. */
export async function listSessions(
  db: Queryable,
  { userId, at, usedSince }: { readonly userId: string; readonly at: Instant; readonly usedSince: Instant },
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ sessions: ListedSession[]; total: number }> {
  const query = db
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .where('expires_at', '>', at)
    .where('last_seen_at', '>', usedSince)
  const { total } = await query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await query
    .select(['id', 'created_at', 'last_seen_at', 'expires_at', 'remote_address', 'user_agent', 'api_token_id'])
    .select(({ eb }) => eb('service_token', 'is not', null).as('by_service_token'))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  const sessions = rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at as Instant,
    lastSeenAt: row.last_seen_at as Instant,
    expiresAt: row.expires_at as Instant,
    remoteAddress: row.remote_address,
    userAgent: row.user_agent,
    signedInWith: row.by_service_token ? 'service-token' : row.api_token_id === null ? 'password' : 'api-token',
  })) satisfies ListedSession[]
  return { sessions, total: Number(total) }
}

/** Ends one session of a person; false if there is none with this id. */
export async function deleteSessionOf(tx: Tx, userId: string, id: string): Promise<boolean> {
  const result = await tx.deleteFrom('sessions').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
  bumpVersion(tx, 'api-tokens')
  return result.numDeletedRows === 1n
}

/** True if a session has not ended; nothing ends it before the transaction does. */
export async function lockSessionForUpdate(tx: Tx, id: string, at: Instant): Promise<boolean> {
  const result = await tx
    .updateTable('sessions')
    .set(({ ref }) => ({ last_seen_at: ref('last_seen_at') }))
    .where('id', '=', id)
    .where('expires_at', '>', at)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Stores a session. */
export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({
      id: session.id,
      hash: session.hash,
      user_id: session.userId,
      created_at: session.createdAt,
      last_seen_at: session.lastSeenAt,
      expires_at: session.expiresAt,
      remote_address: session.remoteAddress,
      user_agent: session.userAgent,
      service_token: session.serviceToken,
      api_token_id: session.apiTokenId,
    })
    .execute()
}

/** Notes that a session was used. */
export async function touchSession(db: Queryable, id: string, at: Instant): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', id).execute()
}

/** Ends one session. */
export async function deleteSession(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('sessions').where('id', '=', id).execute()
  bumpVersion(tx, 'api-tokens')
}

/** Ends all sessions of a person. */
export async function deleteSessionsOf(tx: Tx, userId: string): Promise<void> {
  await inSteps(tx, (limit) =>
    removeSome(tx, tx.selectFrom('sessions').select('id').where('user_id', '=', userId).limit(limit).$asScalar()),
  )
  bumpVersion(tx, 'api-tokens')
}

/** Ends the sessions with these ids; returns how many there were. */
export async function deleteSessions(tx: Tx, ids: readonly string[]): Promise<number> {
  bumpVersion(tx, 'api-tokens')
  return await removeSome(tx, ids)
}

const removeSome = async (tx: Tx, ids: IdQuery | readonly string[]): Promise<number> =>
  Number((await tx.deleteFrom('sessions').where('id', 'in', ids).executeTakeFirst()).numDeletedRows)

/** Removes up to so many sessions that ended before this time; returns how many there were. */
export async function deleteExpiredSessions(tx: Tx, before: Instant, limit: number): Promise<number> {
  return await removeSome(
    tx,
    tx.selectFrom('sessions').select('id').where('expires_at', '<', before).limit(limit).$asScalar(),
  )
}
