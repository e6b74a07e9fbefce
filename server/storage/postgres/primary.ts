import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Clock } from '../../kernel/clock.ts'
import { failure, textOf } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import type { PostgresHost } from './address.ts'
import { type ConnectionSettings, clientConfig } from './connection.ts'
import { unreachable } from './trouble.ts'

/** Connections of one process; a request that finds none free waits. */
const poolSize = 10
const searchPause = 200

/** What the search for a primary needs. */
export type PrimaryParts = {
  clock: Clock
  log: Log
  /** Milliseconds a caller waits for a primary, during a fail-over say, before it is told to come back. */
  patience: number
}

/** Finds the one server that takes writes, and keeps a pool of connections to it. */
export class Primary {
  readonly #hosts: readonly PostgresHost[]
  readonly #settings: ConnectionSettings
  readonly #clock: Clock
  readonly #log: Log
  readonly #patience: number
  #pool: pg.Pool | undefined
  #search: Promise<PostgresHost> | undefined
  #host: PostgresHost | undefined
  #closed = false

  constructor(hosts: readonly PostgresHost[], settings: ConnectionSettings, parts: PrimaryParts) {
    this.#hosts = hosts
    this.#settings = settings
    this.#clock = parts.clock
    this.#log = parts.log
    this.#patience = parts.patience
  }

  /** A connection to the primary, waiting a few seconds for one to appear. */
  async connect(): Promise<pg.PoolClient> {
    const until = this.#clock.monotonic() + this.#patience
    for (;;) {
      const pool = this.#pool ?? (await this.#open(until))
      try {
        return await pool.connect()
      } catch (thrown) {
        if (isSaturated(pool, thrown)) throw saturated(thrown)
        this.drop(pool, thrown)
        if (this.#clock.monotonic() >= until) throw this.#unreachable(textOf(thrown), thrown)
      }
      await sleep(searchPause)
    }
  }

  /** A connection outside the pool, for listening. */
  async connectAlone(): Promise<pg.Client> {
    const host = await this.#find(this.#clock.monotonic() + this.#patience)
    const client = new pg.Client(clientConfig(host.url, this.#settings))
    client.on('error', (error) => this.#log.warn({ error }, 'database connection failed'))
    await client.connect()
    return client
  }

  /** Forgets the server, which is down or no longer the primary; the next caller searches again. */
  drop(pool: pg.Pool | undefined = this.#pool, reason?: unknown): void {
    if (pool === undefined || pool !== this.#pool) return
    this.#pool = undefined
    this.#host = undefined
    this.#log.warn({ error: reason }, 'database primary lost')
    pool.end().catch((error) => this.#log.warn({ error }, 'database connections not closed cleanly'))
  }

  async close(): Promise<void> {
    this.#closed = true
    const pool = this.#pool
    this.#pool = undefined
    // A connection that hangs must not keep the process from stopping.
    await Promise.race([pool?.end(), sleep(2_000, undefined, { ref: false })])
  }

  async #open(until: number): Promise<pg.Pool> {
    const host = await this.#find(until)
    // Callers that waited for the same search share its pool.
    if (this.#pool) return this.#pool
    if (this.#closed) throw failure('unavailable', 'storage.closed', 'The store is closed.')
    // What is asked over the pool has its time counted by `answerOf`.
    const config = { ...clientConfig(host.url, this.#settings), query_timeout: 0 }
    const pool = new pg.Pool({ ...config, max: poolSize, idleTimeoutMillis: 30_000 })
    pool.on('error', (error) => this.#log.warn({ error }, 'idle database connection failed'))
    pool.on('connect', (client) => {
      client.on('error', (error) => this.#log.warn({ error }, 'database connection failed'))
    })
    this.#pool = pool
    return pool
  }

  #find(until: number): Promise<PostgresHost> {
    if (this.#host) return Promise.resolve(this.#host)
    this.#search ??= this.#searchUntil(until).finally(() => {
      this.#search = undefined
    })
    return this.#search
  }

  async #searchUntil(until: number): Promise<PostgresHost> {
    for (;;) {
      try {
        const host = await Promise.any(this.#hosts.map((one) => this.#probe(one)))
        this.#host = host
        this.#log.info({ host: host.label }, 'database primary found')
        return host
      } catch (thrown) {
        const reasons = (thrown as AggregateError).errors.map(textOf)
        if (this.#closed || this.#clock.monotonic() >= until) {
          this.#log.warn({ reasons }, 'database primary not found')
          throw this.#unreachable(reasons.join('; '), thrown)
        }
      }
      await sleep(searchPause)
    }
  }

  /** Asks a server whether it takes writes; a standby answers but does not. */
  async #probe(host: PostgresHost): Promise<PostgresHost> {
    const client = new pg.Client({ ...clientConfig(host.url, this.#settings), query_timeout: 3_000 })
    client.on('error', (error) => this.#log.debug({ error, host: host.label }, 'database probe failed'))
    try {
      await client.connect()
      const { rows } = await client.query("select current_setting('transaction_read_only') as read_only")
      if (rows[0]?.read_only !== 'off') throw new Error(`${host.label} is read-only`)
      return host
    } finally {
      client.end().catch((error) => this.#log.debug({ error, host: host.label }, 'database probe not closed cleanly'))
    }
  }

  #unreachable(reason: string, cause: unknown): Error {
    const labels = this.#hosts.map((host) => host.label)
    return unreachable(labels, reason, cause)
  }
}

/** True if the time-out came from waiting for a free connection, not from the server. */
const isSaturated = (pool: pg.Pool, thrown: unknown): boolean =>
  textOf(thrown) === 'timeout exceeded when trying to connect' && pool.totalCount >= poolSize

const saturated = (cause: unknown): Error =>
  failure('unavailable', 'storage.saturated', 'All database connections are in use; try again.', {
    cause,
    retryAfter: 1,
  })
