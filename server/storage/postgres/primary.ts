import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Clock } from '../../kernel/clock.ts'
import { failure, textOf } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import { sqlState } from '../errors.ts'
import type { PostgresHost } from './address.ts'
import { type ConnectionSettings, clientConfig, liftTimeLimits } from './connection.ts'
import { reasonOf, type ServerFacts, unfitness } from './reason.ts'
import { answerOf } from './trip.ts'
import { unreachable } from './trouble.ts'

/** Connections of one process; a request that finds none free waits. */
export const poolSize = 10
const searchPause = 200
/** Milliseconds for a server to tell about itself. */
const factsTimeout = 3_000
const crowdNoteEvery = 10_000

const serverFacts =
  "select current_setting('transaction_read_only') as read_only, current_setting('server_version') as version, " +
  "current_setting('server_version_num')::int / 10000 as major, current_setting('server_encoding') as encoding"

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
  #crowdNotedAt = Number.NEGATIVE_INFINITY
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
        const isCrowd = isCrowded(thrown)
        if (isCrowd) this.#noteCrowd(thrown)
        else this.drop(pool, thrown)
        if (this.#clock.monotonic() >= until) throw isCrowd ? saturated(thrown) : this.#unreachable([thrown])
      }
      await sleep(searchPause)
    }
  }

  /** A connection outside the pool, for listening. */
  async connectAlone(): Promise<pg.Client> {
    const host = await this.#find(this.#clock.monotonic() + this.#patience)
    const client = new pg.Client(clientConfig(host.url, this.#settings))
    client.on('error', (error) => this.#log.warn({ error: reasonOf(error) }, 'database connection failed'))
    await client.connect()
    try {
      await liftTimeLimits(client)
      return client
    } catch (thrown) {
      await client.end()
      throw thrown
    }
  }

  /** Forgets the server, which is down or no longer the primary; the next caller searches again. */
  drop(pool: pg.Pool | undefined = this.#pool, reason?: unknown): void {
    if (pool === undefined || pool !== this.#pool) return
    this.#pool = undefined
    this.#host = undefined
    this.#log.warn({ error: reasonOf(reason) }, 'database primary lost')
    pool.end().catch((error) => this.#log.warn({ error: textOf(error) }, 'database connections not closed cleanly'))
  }

  /** True while no server is known that takes writes; somebody searches for one all the time. */
  get isAway(): boolean {
    return this.#host === undefined
  }

  /** Connections that we have stay in use; who wants another waits until one is given back, here or elsewhere. */
  #noteCrowd(thrown: unknown): void {
    const now = this.#clock.monotonic()
    if (now - this.#crowdNotedAt < crowdNoteEvery) return
    this.#crowdNotedAt = now
    this.#log.warn({ error: reasonOf(thrown) }, 'database gives no more connections')
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
    const config = { ...clientConfig(host.url, this.#settings), query_timeout: 0, pipeline: true }
    // A primary that went down may be back as a standby, which would answer reads with the past.
    const pool = new pg.Pool({ ...config, max: poolSize, idleTimeoutMillis: 30_000, onConnect: requirePrimary })
    // A server that goes away ends all of them at once; one line for that is enough, when the next caller finds out.
    const note = (error: unknown) => this.#log.debug({ error: reasonOf(error) }, 'database connection failed')
    pool.on('error', note)
    pool.on('connect', (client) => void client.on('error', note))
    this.#pool = pool
    return pool
  }

  /** One search serves all callers that wait; where it fails, those with time left wait for the next. */
  async #find(until: number): Promise<PostgresHost> {
    for (;;) {
      if (this.#host) return this.#host
      this.#search ??= this.#searchUntil(until).finally(() => {
        this.#search = undefined
      })
      try {
        return await this.#search
      } catch (thrown) {
        if (this.#closed || this.#clock.monotonic() >= until) throw thrown
      }
    }
  }

  async #searchUntil(until: number): Promise<PostgresHost> {
    for (;;) {
      try {
        const host = await Promise.any(this.#hosts.map((one) => this.#probe(one)))
        this.#host = host
        this.#log.info({ host: host.label }, 'database primary found')
        return host
      } catch (thrown) {
        if (this.#closed || this.#clock.monotonic() >= until) {
          const failed = this.#unreachable((thrown as AggregateError).errors)
          this.#log.warn({ error: reasonOf(failed) }, 'database primary not found')
          throw failed
        }
      }
      await sleep(searchPause)
    }
  }

  /** Asks a server whether it takes writes; a standby answers but does not. */
  async #probe(host: PostgresHost): Promise<PostgresHost> {
    const client = new pg.Client({ ...clientConfig(host.url, this.#settings), query_timeout: factsTimeout })
    client.on('error', (error) => this.#log.debug({ error: textOf(error), host: host.label }, 'database probe failed'))
    try {
      await client.connect()
      const { rows } = await client.query<ServerFacts>(serverFacts)
      requireFit(rows[0])
      return host
    } finally {
      client
        .end()
        .catch((error) =>
          this.#log.debug({ error: textOf(error), host: host.label }, 'database probe not closed cleanly'),
        )
    }
  }

  /** One reason for each server, or one for all. */
  #unreachable(thrown: readonly unknown[]): Error {
    const labels = this.#hosts.map((host) => host.label)
    if (thrown.length !== labels.length) return unreachable(`${labels.join(', ')}: ${thrown.map(reasonOf).join('; ')}`)
    return unreachable(labels.map((label, index) => `${label}: ${reasonOf(thrown[index])}`).join('; '))
  }
}

/** Asks the same over a new connection of the pool. */
async function requirePrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await answerOf(client, { text: serverFacts }, factsTimeout)
  requireFit(rows[0] as ServerFacts | undefined)
}

function requireFit(facts: ServerFacts | undefined): void {
  const unfit = facts && unfitness(facts)
  if (unfit) throw new Error(unfit)
}

/** True if the time-out came from waiting for a free connection, not from the server. */
const isSaturated = (pool: pg.Pool, thrown: unknown): boolean =>
  textOf(thrown) === 'timeout exceeded when trying to connect' && pool.totalCount >= poolSize

/** True if the server has no connection left for us; that it says so shows that it lives. */
const isCrowded = (thrown: unknown): boolean => sqlState(thrown) === '53300'

const saturated = (cause: unknown): Error =>
  failure('unavailable', 'storage.saturated', 'All database connections are in use; try again.', {
    cause,
    retryAfter: 1,
  })
