import type { Awaitable } from '../../kernel/awaitable.ts'
import type { Clock } from '../../kernel/clock.ts'
import { failure } from '../../kernel/failure.ts'
import type { SqliteSession } from './session.ts'

/** How a body ended. */
export type Outcome = { result: unknown } | { thrown: unknown }

/** How a body is queued. */
type WorkTerms = {
  since: number
  /** Milliseconds its turn may last. */
  deadline: number
  /** In a transaction of its own, because a shared one was lost. */
  alone: boolean
  /** A single statement undoes itself when it fails, so it needs no savepoint. */
  single: boolean
}

/** A body's way through the queue: it waits for its turn, ends, and is answered after the commit. */
export class Work {
  readonly terms: WorkTerms
  readonly #turn = Promise.withResolvers<SqliteSession>()
  readonly #answer = Promise.withResolvers<unknown>()
  session: SqliteSession | undefined
  /** True if what it writes can be taken back without the work of others. */
  hasSavepoint = false
  outcome: Outcome | undefined

  constructor(terms: WorkTerms) {
    this.terms = terms
  }

  /** Settled when the work is durable, or has failed. */
  get answer(): Promise<unknown> {
    return this.#answer.promise
  }

  /** Waits for its turn and calls the body; started by the body's caller, whose asynchronous context it keeps. */
  async perform(body: (session: SqliteSession) => unknown, ended: (outcome: Outcome) => void): Promise<void> {
    const outcome = outcomeOf(body, await this.#turn.promise)
    ended(outcome instanceof Promise ? await outcome : outcome)
  }

  /** Lets the body run. */
  giveTurn(session: SqliteSession): void {
    this.session = session
    this.#turn.resolve(session)
  }

  resolve(result: unknown): void {
    this.#answer.resolve(result)
  }

  reject(thrown: unknown): void {
    this.#answer.reject(thrown)
  }
}

function outcomeOf(body: (session: SqliteSession) => unknown, session: SqliteSession): Awaitable<Outcome> {
  try {
    const result = body(session)
    if (!(result instanceof Promise)) return { result }
    return result.then(
      (value) => ({ result: value }),
      (thrown) => ({ thrown }),
    )
  } catch (thrown) {
    return { thrown }
  }
}

/** Reports a turn that lasts too long, as happens when a body awaits anything other than its tx. */
export class Watchdog {
  readonly #clock: Clock
  readonly #overdue: (work: Work, thrown: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #firesAt = Number.POSITIVE_INFINITY
  #watched: { work: Work; until: number } | undefined

  constructor(clock: Clock, overdue: (work: Work, thrown: unknown) => void) {
    this.#clock = clock
    this.#overdue = overdue
  }

  /** Watches this turn in place of the one before. One timer serves all, for most turns are over at once. */
  watch(work: Work, now: number): void {
    const until = now + work.terms.deadline
    this.#watched = { work, until }
    if (until < this.#firesAt) this.#fireAt(until)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#watched = undefined
    this.#firesAt = Number.POSITIVE_INFINITY
  }

  #fireAt(at: number): void {
    clearTimeout(this.#timer)
    this.#firesAt = at
    this.#timer = setTimeout(() => this.#fire(), at - this.#clock.monotonic())
  }

  #fire(): void {
    this.#firesAt = Number.POSITIVE_INFINITY
    if (!this.#watched) return
    const { work, until } = this.#watched
    if (until > this.#clock.monotonic()) {
      this.#fireAt(until)
      return
    }
    const text = `A transaction body took longer than ${work.terms.deadline} ms; it may await nothing but its tx.`
    this.#overdue(work, failure('internal', 'storage.body-too-slow', text))
  }
}
