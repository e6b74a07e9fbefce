import type { Awaitable } from '../../kernel/awaitable.ts'
import type { Clock } from '../../kernel/clock.ts'
import { failure } from '../../kernel/failure.ts'
import type { SqliteSession } from './session.ts'

/** How an item ended. */
export type Outcome = { result: unknown } | { thrown: unknown }

/** How an item is queued. */
type WorkTerms = {
  since: number
  /** Milliseconds its turn may last. */
  deadline: number
  /** In a transaction of its own, because a shared one was lost. */
  alone: boolean
  /** A single statement undoes itself when it fails, so it needs no savepoint. */
  single: boolean
}

/** The work of one caller on its way through the queue: it waits for its turn, ends, and is answered after the commit. */
export class WorkItem {
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

  /** Waits for its turn and does the work; started by its caller, whose asynchronous context it keeps. */
  async perform(work: (session: SqliteSession) => unknown, ended: (outcome: Outcome) => void): Promise<void> {
    const outcome = outcomeOf(work, await this.#turn.promise)
    ended(outcome instanceof Promise ? await outcome : outcome)
  }

  /** Lets the item run. */
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

function outcomeOf(work: (session: SqliteSession) => unknown, session: SqliteSession): Awaitable<Outcome> {
  try {
    const result = work(session)
    if (!(result instanceof Promise)) return { result }
    return result.then(
      (value) => ({ result: value }),
      (thrown) => ({ thrown }),
    )
  } catch (thrown) {
    return { thrown }
  }
}

/** Reports a turn that lasts too long, as happens when an item awaits anything other than its tx. */
export class Watchdog {
  readonly #clock: Clock
  readonly #overdue: (item: WorkItem, thrown: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #firesAt = Number.POSITIVE_INFINITY
  #watched: { item: WorkItem; until: number } | undefined

  constructor(clock: Clock, overdue: (item: WorkItem, thrown: unknown) => void) {
    this.#clock = clock
    this.#overdue = overdue
  }

  /** Watches this turn in place of the one before. One timer serves all, for most turns are over at once. */
  watch(item: WorkItem, now: number): void {
    const until = now + item.terms.deadline
    this.#watched = { item, until }
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
    const { item, until } = this.#watched
    if (until > this.#clock.monotonic()) {
      this.#fireAt(until)
      return
    }
    const text = `A transaction's work took longer than ${item.terms.deadline} ms; it may await nothing but its tx.`
    this.#overdue(item, failure('internal', 'storage.body-too-slow', text))
  }
}
