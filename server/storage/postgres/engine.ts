import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, type QueryResult } from 'kysely'
import type pg from 'pg'
import type { Awaitable } from '../../kernel/awaitable.ts'
import { type Clock, type Instant, instant } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { noAnswer, outcomeUnknown, translatePostgres } from '../database-errors.ts'
import { isReadOnly } from '../dialect.ts'
import { assertOutsideTransaction, type Engine, type Session, type StoreLoad, type TransactOptions } from '../engine.ts'
import { VersionTracker } from '../version-tracker.ts'
import type { CompletedTransaction } from './attempt.ts'
import { nodeSessions, queryTimeout } from './connection.ts'
import { parseHosts } from './database-address.ts'
import { Primary } from './primary.ts'
import { reasonOf } from './reason.ts'
import { runQuery } from './results.ts'
import { isShareable, SharedLookups } from './shared-lookups.ts'
import { isShared, sessionsAreShared, sharedSessions, sharedSessionsAdvice } from './shared-sessions.ts'
import { StatementNames } from './statement-names.ts'
import { runTransaction } from './transact.ts'
import { explainForOperators, troubleOf } from './trouble.ts'
import { VersionFeed } from './version-feed.ts'

/** What the server engine needs. */
type PostgresOptions = {
  url: string
  schema: string | undefined
  durable: boolean
  node: string | undefined
  useServerClock: boolean
  clock: Clock
  log: Log
  /** Milliseconds to wait for a server that takes writes. */
  patience: number
  connections: number | undefined
}

const attempts = 4
/** An answer that took longer than this says little about the difference of two clocks. */
const tellingMs = 1_000
const now = CompiledQuery.raw('select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now')

const nodes = CompiledQuery.raw(
  `select count(distinct application_name) as nodes from pg_stat_activity
    where datname = current_database() and application_name like $1 || '%'`,
  [nodeSessions],
)

/**
 * PostgreSQL, on whichever of its servers is the primary. Three ways lead to it, all over connections of `Primary`:
 * - a query by itself: `execute`, or `first`, whose lookups share round trips (`SharedLookups`, docs/decisions/0013);
 * - a transaction: `runTransaction` decides what is tried again, an `Attempt` is one try, and its `PostgresSession` is
 *   what the work sees (docs/decisions/0017);
 * - where the database stands, which every request asks first: `VersionFeed` (docs/decisions/0014).
 *
 * Whatever is asked travels by `runStatements`, in one piece. What went wrong is sorted by `troubleOf`, which decides about
 * trying again, and put into words for operators by `reasonOf`.
 */
class PostgresEngine implements Engine {
  readonly kind = 'postgres'
  readonly versions: VersionTracker
  clockSkew = 0
  sharesSessions = false
  readonly #options: PostgresOptions
  readonly #primary: Primary
  readonly #names = new StatementNames()
  readonly #feed: VersionFeed
  readonly #lookups = new SharedLookups(async <R>(query: CompiledQuery) => (await this.execute<R>(query, true)).rows)

  constructor(options: PostgresOptions) {
    this.#options = options
    const settings = { schema: options.schema, durable: options.durable, node: options.node }
    this.#primary = new Primary(parseHosts(options.url), settings, options)
    this.#feed = new VersionFeed(this.#primary, { ...options, ask: (query) => this.#lookups.first(query) })
    this.versions = new VersionTracker(this.#feed)
  }

  /** Finds the primary and starts to listen for changes; fails with one clear line. */
  async open(): Promise<void> {
    const client = await this.#primary.connect()
    await this.#lookForPooler(client).finally(() => client.release())
    await this.#feed.listen(this.versions)
  }

  /** A store in a schema of its own would leave its search path to those who get its sessions next. */
  async #lookForPooler(client: pg.PoolClient): Promise<void> {
    try {
      this.sharesSessions = await isShared(client, () => this.#primary.connectOutsidePool())
    } catch (thrown) {
      this.#options.log.warn({ error: reasonOf(thrown) }, 'the connection pooler could not be examined')
    }
    if (!this.sharesSessions) return
    if (this.#options.schema !== undefined) throw sessionsAreShared()
    this.#options.log.error({ error: sharedSessions, advice: sharedSessionsAdvice }, 'database sessions are shared')
  }

  /** A read whose connection is lost is repeated while a statement still has time; a write is not: it may have been done. */
  async execute<R>(query: CompiledQuery, hot = false): Promise<QueryResult<R>> {
    assertOutsideTransaction(this)
    const isRead = isReadOnly(query)
    const { clock } = this.#options
    const until = clock.monotonic() + queryTimeout
    for (let attempt = 1; ; attempt++) {
      const client = await this.#primary.connect()
      try {
        const result = await runQuery<R>(client, query, hot ? this.#names.of(query.sql) : undefined)
        client.release()
        if (!isRead) this.versions.noteWrite()
        return result
      } catch (thrown) {
        const mayRepeat = attempt < attempts && clock.monotonic() < until
        await this.#recover(client, thrown, { isRead, mayRepeat })
      }
    }
  }

  /** Reads of one row that come together travel together. */
  async first<R>(query: CompiledQuery): Promise<R | undefined> {
    assertOutsideTransaction(this)
    if (isReadOnly(query) && isShareable(query)) return await this.#lookups.first<R>(query)
    return (await this.execute<R>(query, true)).rows[0]
  }

  /** Gives the connection back and returns if the query may be sent once more; throws otherwise. */
  async #recover(
    client: pg.PoolClient,
    thrown: unknown,
    { isRead, mayRepeat }: { isRead: boolean; mayRepeat: boolean },
  ): Promise<void> {
    const trouble = troubleOf(thrown)
    client.release(trouble === 'lost' || trouble === 'read-only')
    if (trouble === 'refused') throw translatePostgres(thrown)
    if (trouble === 'read-only') this.#primary.drop(thrown)
    if (trouble === 'stale-plan') this.#names.renew()
    if (trouble === 'lost' && !isRead) throw outcomeUnknown(thrown)
    if (!mayRepeat) throw noAnswer(thrown)
    await sleep(20)
  }

  async transaction<T>(work: (session: Session) => Awaitable<T>, options: TransactOptions): Promise<T> {
    const { result, movedVersions } = await this.#run(work, options)
    this.versions.noteWrite()
    for (const [area, version] of movedVersions) this.versions.noteVersion(area, version)
    return result
  }

  async snapshot<T>(work: (session: Session) => Awaitable<T>): Promise<T> {
    return (await this.#run(work, { snapshot: true })).result
  }

  async #run<T>(work: (session: Session) => Awaitable<T>, options: TransactOptions): Promise<CompletedTransaction<T>> {
    assertOutsideTransaction(this)
    const parts = { engine: this, primary: this.#primary, names: this.#names, channel: this.#feed.channel }
    return await runTransaction({ ...parts, clock: this.#options.clock }, work, options)
  }

  async databaseNow(): Promise<Instant> {
    const { clock, useServerClock } = this.#options
    const askedAt = clock.now()
    if (!useServerClock) return askedAt
    const { rows } = await this.execute<{ now: number }>(now)
    const found = instant(rows[0]?.now ?? Number.NaN)
    const answeredAt = clock.now()
    if (answeredAt - askedAt < tellingMs) this.clockSkew = Math.round((askedAt + answeredAt) / 2 - found)
    return found
  }

  async nodes(): Promise<number> {
    const { rows } = await this.execute<{ nodes: number }>(nodes)
    return rows[0]?.nodes ?? 0
  }

  async answersBesidePool(): Promise<boolean> {
    return await this.#feed.answers()
  }

  get load(): StoreLoad {
    return this.#primary.load
  }

  get isAway(): boolean {
    return this.#primary.isAway
  }

  async close(): Promise<void> {
    await this.#feed.close()
    await this.#primary.close()
  }
}

/** Connects to PostgreSQL; throws one clear sentence when no server takes writes. */
export async function openPostgres(options: PostgresOptions): Promise<PostgresEngine> {
  const engine = new PostgresEngine(options)
  try {
    await engine.open()
    return engine
  } catch (thrown) {
    await engine.close()
    throw explainForOperators(thrown)
  }
}
