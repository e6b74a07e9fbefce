import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Clock } from '../../kernel/clock.ts'
import { failure, textOf } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import { saturated, sqlState } from '../database-errors.ts'
import type { StoreLoad } from '../engine.ts'
import { runStatement } from './batch.ts'
import { type ConnectionSettings, clientConfig, liftTimeLimits } from './connection.ts'
import type { PostgresHost } from './database-address.ts'
import { factsTimeout, requireFitServer, type ServerFacts, serverFacts } from './fitness.ts'
import { PrimarySearch, searchPause } from './primary-search.ts'
import { reasonOf } from './reason.ts'
import { beginSession } from './schema.ts'
import { troubleOf } from './trouble.ts'

/** Connections of one process, unless its settings say otherwise; a request that finds none free waits. */
export const defaultConnections = 10
const crowdLogEveryMs = 10_000

/** What the way to the primary needs. */
type PrimaryParts = {
  clock: Clock
  log: Log
  /** Milliseconds a caller waits for a primary, during a fail-over say, before it is asked to try again. */
  patience: number
  connections?: number | undefined
}

/**
 * Connections to the one server that takes writes: a pool, thrown away as a whole when that server is lost, and single
 * ones beside it. Reads go there as well, since a standby would answer them with the past.
 */
export class Primary {
  readonly #search: PrimarySearch
  readonly #settings: ConnectionSettings
  readonly #clock: Clock
  readonly #log: Log
  readonly #patience: number
  readonly #limit: number
  #pool: pg.Pool | undefined
  #crowdNotedAt = Number.NEGATIVE_INFINITY
  #closed = false

  constructor(hosts: readonly PostgresHost[], settings: ConnectionSettings, parts: PrimaryParts) {
    this.#search = new PrimarySearch(hosts, parts)
    this.#settings = settings
    this.#clock = parts.clock
    this.#log = parts.log
    this.#patience = parts.patience
    this.#limit = parts.connections ?? defaultConnections
  }

  /** A connection to the primary, waiting a few seconds for one to appear. */
  async connect(): Promise<pg.PoolClient> {
    const until = this.#clock.monotonic() + this.#patience
    for (;;) {
      const pool = this.#pool ?? (await this.#open(until))
      try {
        return await pool.connect()
      } catch (thrown) {
        if (this.#isBusy(pool, thrown)) throw saturated(thrown)
        const isCrowd = isCrowded(thrown)
        if (isCrowd) this.#logCrowd(thrown)
        else this.drop(thrown, pool)
        if (this.#clock.monotonic() >= until) throw isCrowd ? saturated(thrown) : this.#search.unreachable([thrown])
      }
      await sleep(searchPause)
    }
  }

  /** A connection outside the pool, for listening. */
  async connectOutsidePool(): Promise<pg.Client> {
    const host = await this.#search.find(this.#clock.monotonic() + this.#patience)
    const client = new pg.Client(clientConfig(host.url, this.#settings))
    client.on('error', (error) => this.#log.warn({ error: reasonOf(error) }, 'database connection failed'))
    await client.connect()
    try {
      await beginSession(client, host.url, this.#settings)
      await liftTimeLimits(client)
      return client
    } catch (thrown) {
      await client.end()
      throw thrown
    }
  }

  /** Forgets the server, which is down or no longer the primary; the next caller searches again. */
  drop(reason: unknown, pool: pg.Pool | undefined = this.#pool): void {
    if (pool === undefined || pool !== this.#pool) return
    this.#pool = undefined
    this.#search.forget()
    this.#log.warn({ error: reasonOf(reason) }, 'database primary lost')
    pool.end().catch((error) => this.#log.warn({ error: textOf(error) }, 'database connections not closed cleanly'))
  }

  /** True while no server is known that takes writes; somebody searches for one all the time. */
  get isAway(): boolean {
    return this.#search.isAway
  }

  /** The connections of the pool, and how many callers wait for one: those for whom none is free, or can be opened. */
  get load(): StoreLoad {
    const { totalCount, idleCount, waitingCount } = this.#pool ?? { totalCount: 0, idleCount: 0, waitingCount: 0 }
    const used = totalCount - idleCount
    const limit = this.#limit
    return { used, idle: idleCount, waiting: Math.max(0, waitingCount - (limit - used)), limit }
  }

  /** True if the time-out came from waiting for a free connection, not from the server. */
  #isBusy(pool: pg.Pool, thrown: unknown): boolean {
    return textOf(thrown) === 'timeout exceeded when trying to connect' && pool.totalCount >= this.#limit
  }

  /** The connections we have stay in use; a caller that needs another waits until one is returned, here or elsewhere. */
  #logCrowd(thrown: unknown): void {
    const now = this.#clock.monotonic()
    if (now - this.#crowdNotedAt < crowdLogEveryMs) return
    this.#crowdNotedAt = now
    this.#log.warn({ error: reasonOf(thrown) }, 'the database accepts no more connections')
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#search.close()
    const pool = this.#pool
    this.#pool = undefined
    // A connection that hangs must not keep the process from stopping.
    await Promise.race([pool?.end(), sleep(2_000, undefined, { ref: false })])
  }

  async #open(until: number): Promise<pg.Pool> {
    const host = await this.#search.find(until)
    // Callers that waited for the same search share its pool.
    if (this.#pool) return this.#pool
    if (this.#closed) throw failure('unavailable', 'storage.closed', 'The store is closed.')
    // What is asked over the pool has its time counted by `runStatement`.
    const config = { ...clientConfig(host.url, this.#settings), query_timeout: 0, pipeline: true }
    const onConnect = (client: pg.ClientBase) => prepareForUse(client, host.url, this.#settings)
    const pool = new pg.Pool({ ...config, max: this.#limit, idleTimeoutMillis: 30_000, onConnect })
    // A server that goes away ends all of them at once; one line for that is enough, when the next caller finds out.
    const note = (error: unknown) => this.#log.debug({ error: reasonOf(error) }, 'database connection failed')
    pool.on('error', note)
    pool.on('connect', (client) => void client.on('error', note))
    this.#pool = pool
    return pool
  }
}

/** A primary that went down may be back as a standby, so every new connection of the pool asks again. */
async function prepareForUse(client: pg.ClientBase, url: string, settings: ConnectionSettings): Promise<void> {
  const { rows } = await runStatement(client, { text: serverFacts }, factsTimeout)
  requireFitServer(rows[0] as ServerFacts | undefined)
  await beginSession(client, url, settings)
  await watchClient(client)
}

/** Release 13 has no such setting; an interval that operators have set stays. */
const watchClientSql = `select set_config('client_connection_check_interval', '2s', false)
  where current_setting('client_connection_check_interval', true) = '0'`

/**
 * Makes the server end a statement when its connection is closed. Otherwise those that we gave up on, waiting for a
 * lock say, would take up the server's connections and write long after our caller was told to try again.
 */
async function watchClient(client: pg.ClientBase): Promise<void> {
  try {
    await runStatement(client, { text: watchClientSql }, factsTimeout)
  } catch (thrown) {
    // Some systems do not notify a server that a connection was closed; there the setting is refused.
    if (troubleOf(thrown) !== 'refused') throw thrown
  }
}

/** True if the server has no connection left for us; that it says so shows that it lives. */
const isCrowded = (thrown: unknown): boolean => sqlState(thrown) === '53300'
