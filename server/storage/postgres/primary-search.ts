import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import { type Failure, textOf } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import type { PostgresHost } from './database-address.ts'
import { askServer, choosePrimary, type WritableServer } from './primary-choice.ts'
import { reasonOf } from './reason.ts'
import { unreachable } from './trouble.ts'

/** Milliseconds between two tries to find the primary, or to get a connection to it. */
export const searchPause = 200

/**
 * Which of the servers accepts writes. All are asked at once, since nobody tells clients of a fail-over, and the chosen
 * one is used until somebody finds that it is no longer fit.
 */
export class PrimarySearch {
  readonly #hosts: readonly PostgresHost[]
  readonly #clock: Clock
  readonly #log: Log
  #found: PostgresHost | undefined
  #search: Promise<PostgresHost> | undefined
  #closed = false

  constructor(hosts: readonly PostgresHost[], parts: { clock: Clock; log: Log }) {
    this.#hosts = hosts
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
        const { chosen, rivals } = await choosePrimary(this.#hosts, (host) => this.#ask(host))
        this.#found = chosen.host
        this.#log.info({ host: chosen.host.label }, 'database primary found')
        if (rivals.length > 0) this.#reportRivals(chosen, rivals)
        return chosen.host
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

  #ask(host: PostgresHost): Promise<WritableServer> {
    const note = (error: unknown) =>
      this.#log.debug({ error: textOf(error), host: host.label }, 'database probe failed')
    return askServer(host, { isAlone: this.#hosts.length === 1, note })
  }

  #reportRivals(chosen: WritableServer, rivals: readonly WritableServer[]): void {
    const hosts = [chosen, ...rivals].map(({ host, timeline }) => `${host.label} (timeline ${timeline})`)
    const advice = 'stop the others: writes to them are lost, and a node may use one while the first is unreachable'
    this.#log.error({ hosts, used: chosen.host.label, advice }, 'several database servers accept writes')
  }

  /** The message for callers: one reason for each server, or one for all. */
  unreachable(thrown: readonly unknown[]): Failure {
    const labels = this.#hosts.map((host) => host.label)
    if (thrown.length !== labels.length) return unreachable(`${labels.join(', ')}: ${thrown.map(reasonOf).join('; ')}`)
    return unreachable(labels.map((label, index) => `${label}: ${reasonOf(thrown[index])}`).join('; '))
  }
}
