import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../server/kernel/clock.ts'
import { type Client, pauseMs, Refused, Unreachable } from '../protocol/client.ts'
import type { Job, Renewal } from '../protocol/messages.ts'

/** Why the tool of a job has to end: `lost` when the job belongs to somebody else, or to nobody. */
export type LeaseSignal = 'interrupt' | 'kill' | 'lost'

/** Long polls of this length leave two tries before a lease of a minute ends. */
const waitMs = 15_000

/** How long a runner that reaches no server goes on, after its lease has ended. */
const reattachMs = 600_000

/** The hold on a job: it is renewed all the time, and brings what the server wants of the job. */
export class Lease {
  readonly #stop = new AbortController()
  readonly #first = Promise.withResolvers<void>()
  readonly #client: Client
  readonly #job: Job
  readonly #onSignal: (signal: LeaseSignal) => void
  #isLost = false
  #endsAt: number

  constructor(client: Client, job: Job, logLength: () => number, onSignal: (signal: LeaseSignal) => void) {
    this.#client = client
    this.#job = job
    this.#onSignal = onSignal
    this.#endsAt = systemClock.monotonic() + job.lease_ms
    this.#first.promise.catch(() => undefined)
    void this.#renew(logLength)
  }

  /** The first renewal was answered: from then on a tool may have been started, for all that the server knows. */
  get started(): Promise<void> {
    return this.#first.promise
  }

  get isLost(): boolean {
    return this.#isLost
  }

  close(): void {
    this.#stop.abort()
  }

  async #renew(logLength: () => number): Promise<void> {
    let last: Renewal['signal'] = 'none'
    for (let attempt = 0, isFirst = true; !this.#stop.signal.aborted; ) {
      try {
        const { body } = await this.#client.call({
          method: 'POST',
          path: `/api/runner/v1/jobs/${this.#job.job_id}/renew`,
          token: this.#job.token,
          fence: this.#job.fence,
          body: { wait_ms: isFirst ? 0 : waitMs, signal: last, log_length: logLength() },
          signal: this.#stop.signal,
          timeoutMs: waitMs + 10_000,
        })
        const { lease_ms, signal } = body as Renewal
        this.#endsAt = systemClock.monotonic() + lease_ms
        attempt = 0
        isFirst = false
        this.#first.resolve()
        if (lease_ms === 0) return this.#lose(new Error('the job has ended'))
        if (signal !== 'none' && signal !== last) this.#onSignal(signal)
        last = signal
      } catch (error) {
        if (this.#stop.signal.aborted) return
        if (error instanceof Refused) return this.#lose(error)
        if (!(error instanceof Unreachable)) throw error
        if (systemClock.monotonic() > this.#endsAt + reattachMs) return this.#lose(error)
        await delay(pauseMs(attempt++), undefined, { signal: this.#stop.signal }).catch(() => undefined)
      }
    }
  }

  #lose(error: Error): void {
    this.#isLost = true
    this.#first.reject(error)
    this.#onSignal('lost')
  }
}
