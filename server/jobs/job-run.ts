import { setTimeout as sleep } from 'node:timers/promises'
import { type Instant, later } from '../kernel/clock.ts'
import { textOf } from '../kernel/failure.ts'
import { backOff } from '../kernel/pause.ts'
import type { Deps } from '../kit/deps.ts'
import type { Job, JobRun } from '../kit/job.ts'
import { finishJob, type HeldJob, renewJob } from '../kit/jobs/lease-store.ts'
import { countRun, type RunOutcome } from './job-metrics.ts'

/** What a run needs to know about its job. */
type RunTerms = {
  /** Milliseconds without a sign of life after which another node takes over. */
  lease: number
  /** Milliseconds added to the interval this time. */
  jitter: number
}

/** Waits before a run that follows a failed one. */
const retryWaits = { first: 5_000, longest: 3_600_000 }

/** One run of a held job: keeps the lease alive beside the work, and records how it ended. */
export class HeldRun {
  readonly #deps: Deps
  readonly job: Job
  readonly #held: HeldJob
  readonly #terms: RunTerms
  readonly #stop = new AbortController()
  readonly #over = new AbortController()
  #renewedAt: number
  #rescheduledAt: Instant | undefined

  constructor(deps: Deps, job: Job, held: HeldJob, terms: RunTerms) {
    this.#deps = deps
    this.job = job
    this.#held = held
    this.#terms = terms
    this.#renewedAt = deps.clock.monotonic()
  }

  /** Does the work to its end, whatever that is; never throws. */
  async finish(): Promise<void> {
    const { log } = this.#deps
    // Logs redact a field called `key`; this one is only a name, so it is called something else.
    const fields = { job: this.#held.kind, about: this.#held.key, fence: this.#held.fence }
    const keeping = this.#keepLease()
    let error: string | undefined
    try {
      await this.job.run(this.#deps, this.#createJobRun())
    } catch (thrown) {
      error = textOf(thrown)
      if (this.#stop.signal.aborted) log.info({ ...fields, error }, 'job interrupted')
      else log.warn({ ...fields, error: thrown }, 'job failed')
    }
    countRun(this.#deps, this.#held.kind, this.#outcomeOf(error))
    this.#over.abort()
    await keeping
    try {
      if (!(await this.#record(error))) log.warn(fields, 'job was taken over by another process; result not recorded')
    } catch (thrown) {
      log.error({ ...fields, error: thrown }, 'could not record the result of a job; it will run again')
    }
  }

  #outcomeOf(error: string | undefined): RunOutcome {
    if (error === undefined) return 'ok'
    return this.#stop.signal.aborted ? 'interrupted' : 'failed'
  }

  /** Tells the work to stop, because the server does. */
  abort(): void {
    this.#stop.abort(new Error('The server is stopping.'))
  }

  #createJobRun(): JobRun {
    const { kind, key, payload, fence, revision } = this.#held
    const rescheduleAt = (at: Instant) => {
      this.#rescheduledAt = at
    }
    return { kind, key, payload, fence, revision, signal: this.#stop.signal, renew: () => this.#renew(), rescheduleAt }
  }

  async #record(error: string | undefined): Promise<boolean> {
    const now = await this.#deps.store.databaseNow()
    const interrupted = this.#outcomeOf(error) === 'interrupted'
    return await finishJob(this.#deps.db, this.#held, { now, nextRunAt: this.#next(now, error), error, interrupted })
  }

  #next(now: Instant, error: string | undefined): Instant | undefined {
    const { every, attempts } = this.#held
    if (error !== undefined) {
      if (this.#stop.signal.aborted) return now
      return later(now, Math.min(backOff(retryWaits, attempts + 1), every ?? Number.POSITIVE_INFINITY))
    }
    if (this.#rescheduledAt !== undefined) return this.#rescheduledAt
    return every === null ? undefined : later(now, every + this.#terms.jitter)
  }

  /** Renews at every third of the lease, so that two tries may fail before it is lost. */
  async #keepLease(): Promise<void> {
    while (!this.#over.signal.aborted && !this.#stop.signal.aborted) {
      await sleep(this.#terms.lease / 3, undefined, { signal: this.#over.signal, ref: false }).catch(() => undefined)
      if (this.#over.signal.aborted) return
      if (await this.#renew()) continue
      this.#stop.abort(new Error('The lease of the job was lost.'))
    }
  }

  /**
   * True if the lease holds. While the database does not answer it is judged by the monotonic clock of this machine, and
   * counts as lost before others may think so.
   */
  async #renew(): Promise<boolean> {
    const { clock, db, log, store } = this.#deps
    const startedAt = clock.monotonic()
    try {
      const until = later(await store.databaseNow(), this.#terms.lease)
      if (!(await renewJob(db, this.#held, until))) return false
      this.#renewedAt = startedAt
      return true
    } catch (error) {
      log.warn({ job: this.#held.kind, error }, 'could not renew the lease of a job')
      return clock.monotonic() - this.#renewedAt < this.#terms.lease * 0.6
    }
  }
}
