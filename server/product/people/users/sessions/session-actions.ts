import { type Instant, later } from '../../../../kernel/clock.ts'
import { textOf } from '../../../../kernel/failure.ts'
import type { Secret } from '../../../../kernel/secret.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'
import { defineJob, type Job } from '../../../../kit/job.ts'
import { inBatches } from '../../../../storage/batches.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { VersionedCache } from '../../../../storage/versions.ts'
import { deleteExpiredLinks } from '../links/account-link-store.ts'
import type { Claim } from '../password-actions.ts'
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionOf,
  deleteSessionsOf,
  findSession,
  insertSession,
  type ListedSession,
  listSessions,
  type Session,
  touchSession,
} from './session-store.ts'

/** Removes sessions that have ended, and links that no longer work. */
export const sessionSweep: Job = defineJob({
  name: 'sessions.sweep',
  every: '1h',
  jitter: '10m',
  run: async (deps) => {
    const now = deps.clock.now()
    await inBatches(deps.db, (tx, limit) => deleteExpiredSessions(tx, now, limit))
    await inBatches(deps.db, (tx, limit) => deleteExpiredLinks(tx, now, limit))
  },
})

type SessionDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'keyring' | 'store'>

const minute = 60_000

/** A browser is asked to sign in again after two weeks, or after a day without a request. */
export const sessionLifetimeMs: number = 14 * 24 * 60 * minute
const maxIdleMs = 24 * 60 * minute

/** Uses are noted this often; more often would turn every read into a write. */
const useRecordInterval = 5 * minute

const sessionCache = perApp(
  (deps) => new VersionedCache<string, Session>(deps.store.versions, 'api-tokens', { max: 20_000 }),
)

const hashOf = (deps: Pick<Deps, 'keyring'>, text: string): string => deps.keyring.keyedHash('session', text)

const placeOf = (id: string) => ({ table: 'sessions', column: 'service_token', row: id })

/** What a session starts from. */
export type SessionStart = {
  readonly userId: string
  readonly remoteAddress: string
  readonly userAgent: string
  /** The `/v1` token the person signed in with. */
  readonly serviceToken?: Secret<string>
  /** The user token the person signed in with: the session ends with it. */
  readonly apiToken?: { readonly id: string; readonly expiresAt: Instant | null }
  /** When what the person signed in with expires, and the session at the latest with it. */
  readonly endsAt?: Instant
  /** Throws when what the person signs in with does not count any more. */
  readonly claim?: Claim
}

/** Starts a session; returns the text that the browser keeps. */
export async function startSession(deps: SessionDeps, start: SessionStart): Promise<string> {
  const text = deps.ids.text(40)
  const at = deps.clock.now()
  const id = deps.ids.uuid()
  const { serviceToken, apiToken } = start
  const session = {
    id,
    hash: hashOf(deps, text),
    userId: start.userId,
    createdAt: at,
    lastSeenAt: at,
    expiresAt: earlier(earlier(later(at, sessionLifetimeMs), apiToken?.expiresAt), start.endsAt),
    remoteAddress: start.remoteAddress,
    userAgent: start.userAgent.slice(0, 300),
    serviceToken: serviceToken ? deps.keyring.seal(serviceToken.reveal(), placeOf(id)) : null,
    apiTokenId: apiToken?.id ?? null,
  }
  await inTransaction(deps.db, async (tx) => {
    await start.claim?.(tx)
    await insertSession(tx, session)
  })
  return text
}

const earlier = (one: Instant, other: Instant | null | undefined): Instant => (other && other < one ? other : one)

/** The session that a browser presents; undefined when it is unknown or has ended. */
export async function resumeSession(deps: SessionDeps & Pick<Deps, 'log'>, text: string): Promise<Session | undefined> {
  const hash = hashOf(deps, text)
  const at = deps.clock.now()
  // The version is taken before the session is read: one that ends right afterwards must not be remembered.
  const asOf = sessionCache(deps).version()
  const session = await lookUp(deps, hash, at)
  if (!session || session.expiresAt <= at || isIdle(session, at)) return undefined
  if (at - session.lastSeenAt < useRecordInterval) return session
  const touched = { ...session, lastSeenAt: at }
  await recordUse(deps, touched)
  sessionCache(deps).set(hash, touched, asOf)
  return touched
}

/** Notes a use. If that cannot be written, the session works all the same: a full disk must not stop reads. */
async function recordUse(deps: Pick<Deps, 'db' | 'log'>, { id, lastSeenAt }: Session): Promise<void> {
  try {
    await touchSession(deps.db, id, lastSeenAt)
  } catch (error) {
    deps.log.warn({ session: id, error: textOf(error) }, 'could not record the use of a session')
  }
}

const isIdle = ({ lastSeenAt }: Session, at: Instant): boolean => later(lastSeenAt, maxIdleMs) <= at

/** Uses noted by other processes do not change the version, so a session that seems idle is read once more. */
async function lookUp(deps: SessionDeps, hash: string, at: Instant): Promise<Session | undefined> {
  const cache = sessionCache(deps)
  const read = () => findSession(deps.db, hash)
  const session = await cache.recall(hash, read)
  if (!session || !isIdle(session, at)) return session
  cache.delete(hash)
  return await cache.recall(hash, read)
}

/** The `/v1` token behind a session; empty when the person signed in with a password. */
export const serviceTokenOf = (deps: Pick<Deps, 'keyring'>, session: Session): string =>
  session.serviceToken ? deps.keyring.openText(session.serviceToken, placeOf(session.id)) : ''

/** The text that proves that a request of a session comes from our own pages. */
export const csrfTokenOf = (deps: Pick<Deps, 'keyring'>, session: Pick<Session, 'id'>): string =>
  deps.keyring.keyedHash('csrf', session.id)

/** Ends one session. */
export const endSession = (deps: SessionDeps, session: Pick<Session, 'id'>): Promise<void> =>
  inTransaction(deps.db, (tx) => deleteSession(tx, session.id))

/** A page of the sessions of a person that have not ended. */
export async function openSessionsOf(
  { reads, clock }: Pick<Deps, 'reads' | 'clock'>,
  userId: string,
  range: { readonly offset: number; readonly limit: number },
): Promise<{ sessions: ListedSession[]; total: number }> {
  const at = clock.now()
  return await listSessions(reads, { userId, at, usedSince: later(at, -maxIdleMs) }, range)
}

/** Ends one of a person's sessions; false if that person has none with this id. */
export const endSessionOf = (deps: Pick<Deps, 'db'>, userId: string, id: string): Promise<boolean> =>
  inTransaction(deps.db, (tx) => deleteSessionOf(tx, userId, id))

/** Signs a person out everywhere. */
export const endSessionsOf = (deps: SessionDeps, userId: string): Promise<void> =>
  inTransaction(deps.db, (tx) => deleteSessionsOf(tx, userId))
