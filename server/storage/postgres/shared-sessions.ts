import type pg from 'pg'
import { type Failure, failure } from '../../kernel/failure.ts'
import { runStatement } from './batch.ts'
import { factsTimeout } from './fitness.ts'

/** Asks over one connection, and answers the single value of the first row. */
export type Ask = (text: string) => Promise<unknown>

/** A server may have been started with the process number of another. */
const sessionSql = "select pg_backend_pid() || ' ' || extract(epoch from pg_postmaster_start_time()) as answer"

/** What others do meanwhile may hide that sessions are shared, but hardly so often. */
const rounds = 8

/**
 * True if what is said over two connections may reach the same session of the server, as it does behind a pooler that hands
 * out sessions for one transaction each: settings, locks and notifications then go to whoever comes next.
 */
export async function areShared(one: Ask, other: Ask): Promise<boolean> {
  const first = await one(sessionSql)
  for (let round = 0; round < rounds; round++) {
    await other('begin')
    const held = await other(sessionSql).finally(() => other('rollback'))
    if (held === first || (await one(sessionSql)) !== first) return true
  }
  return false
}

const askOver =
  (client: pg.ClientBase): Ask =>
  async (text) =>
    (await runStatement(client, { text }, factsTimeout)).rows[0]?.answer

/** A pooler tells its clients another process number than that of the server: it does not say which will serve them. */
async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const pid = await askOver(client)('select pg_backend_pid() as answer')
  return (client as pg.ClientBase & { processID?: number | null }).processID !== pid
}

/** Whether a connection has no session of its own. Only behind a pooler another connection is opened to find out. */
export async function isShared(client: pg.ClientBase, connect: () => Promise<pg.Client>): Promise<boolean> {
  if (!(await isPooled(client))) return false
  const other = await connect()
  try {
    return await areShared(askOver(client), askOver(other))
  } finally {
    await other.end()
  }
}

/** Why a connection pooler does not do. */
export const sharedSessions: string =
  "a connection pooler hands out the database's sessions for one transaction each, as PgBouncer does in transaction mode"

/** What to do about it. */
export const sharedSessionsAdvice = 'Set its pool_mode to session, or connect to the database directly.'

/** Refuses work that needs a session of its own. */
export const sessionsAreShared = (): Failure =>
  failure(
    'unavailable',
    'storage.shared-sessions',
    `This does not work where ${sharedSessions}. ${sharedSessionsAdvice}`,
  )
