import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Clock } from '../../kernel/clock.ts'
import { type Failure, textOf } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import type { PostgresHost } from './address.ts'
import { type ConnectionSettings, clientConfig } from './connection.ts'
import { factsTimeout, requireFitServer, type ServerFacts, serverFacts } from './fitness.ts'
import { reasonOf } from './reason.ts'
import { unreachable } from './trouble.ts'

/** Milliseconds between two tries to find the primary, or to get a connection to it. */
export const searchPause = 200

/**
 * Which of the servers accepts writes. All are asked at once, since nobody tells clients of a fail-over, and the first fit
 * one is used until somebody finds that it is no longer fit.
 */
export class PrimarySearch {
  readonly #hosts: readonly PostgresHost[]
  readonly #settings: ConnectionSettings
  readonly #clock: Clock
  readonly #log: Log
  #found: PostgresHost | undefined
  #search: Promise<PostgresHost> | undefined
  #closed = false

  constructor(hosts: readonly PostgresHost[], settings: ConnectionSettings, parts: { clock: Clock; log: Log }) {
    this.#hosts = hosts
    this.#settings = settings
    this.#clock = parts.clock
    this.#log = parts.log
  }

  /** True while no server is known that takes writes. */
  get isAway(): boolean {
    return this.#found === undefined
  }

  /** Forgets the server, so that the next caller searches. */
  forget(): void {
    this.#found = undefined
  }

  /** Ends searches at their next try. */
  close(): void {
    this.#closed = true
  }

  /** The primary. One search serves all callers that wait; where it fails, those with time left wait for the next. */
  async find(until: number): Promise<PostgresHost> {
    for (;;) {
      if (this.#found) return this.#found
      this.#search ??= this.#searchUntil(until).finally(() => {
        this.#search = undefined
      })
      try {
        return await this.#search
      } catch (thrown) {
        if (this.#isOver(until)) throw thrown
      }
    }
  }

  async #searchUntil(until: number): Promise<PostgresHost> {
    for (;;) {
      try {
        const host = await Promise.any(this.#hosts.map((one) => this.#probe(one)))
        this.#found = host
        this.#log.info({ host: host.label }, 'database primary found')
        return host
      } catch (thrown) {
        if (this.#isOver(until)) {
          const failed = this.unreachable((thrown as AggregateError).errors)
          this.#log.warn({ error: reasonOf(failed) }, 'database primary not found')
          throw failed
        }
      }
      await sleep(searchPause)
    }
  }

  #isOver(until: number): boolean {
    return this.#closed || this.#clock.monotonic() >= until
  }

  /** Asks a server whether it takes writes. */
  async #probe(host: PostgresHost): Promise<PostgresHost> {
    const client = new pg.Client({ ...clientConfig(host.url, this.#settings), query_timeout: factsTimeout })
    client.on('error', (error) => this.#log.debug({ error: textOf(error), host: host.label }, 'database probe failed'))
    try {
      await client.connect()
      const { rows } = await client.query<ServerFacts>(serverFacts)
      requireFitServer(rows[0])
      return host
    } finally {
      client
        .end()
        .catch((error) =>
          this.#log.debug({ error: textOf(error), host: host.label }, 'database probe not closed cleanly'),
        )
    }
  }

  /** The message for callers: one reason for each server, or one for all. */
  unreachable(thrown: readonly unknown[]): Failure {
    const labels = this.#hosts.map((host) => host.label)
    if (thrown.length !== labels.length) return unreachable(`${labels.join(', ')}: ${thrown.map(reasonOf).join('; ')}`)
    return unreachable(labels.map((label, index) => `${label}: ${reasonOf(thrown[index])}`).join('; '))
  }
}
