import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Awaitable } from '../../kernel/awaitable.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Failure, failure } from '../../kernel/failure.ts'
import { type Engine, enterBody, type Session, type Transact } from '../engine.ts'
import { outcomeUnknown, translatePostgres } from '../errors.ts'
import { repeatedOperation } from '../operations.ts'
import { queryTimeout } from './connection.ts'
import type { Primary } from './primary.ts'
import { PostgresSession, type StatementNames } from './session.ts'
import { answerOf } from './trip.ts'
import { noAnswer, type Trouble, troubleOf } from './trouble.ts'

/** What a transaction needs of its engine. */
export type TransactParts = {
  engine: Engine
  primary: Primary
  names: StatementNames
  /** Where moved versions are announced. */
  channel: string
  clock: Clock
}

/** Stands for a version that moved when the answer that tells it was lost; no real one is like it. */
const untold = -1

/** What a transaction leaves behind: the body's result and the versions that moved. */
export type Done<T> = { result: T; moved: [string, number][] }

const attempts = 8
/** A body may take this much longer than a statement: where the server gives no answer, the body is not to blame. */
const bodyShare = 1.2

/** Writes an operation id unless it is there; while another transaction writes the same one, it waits for its end. */
export const recordSql: string =
  'insert into operations (id, created_at) ' +
  'values ($1, floor(extract(epoch from now()) * 1000)::bigint) on conflict (id) do nothing'

/** How one try ended, when it did not end well. */
type Defeat = { thrown: unknown; trouble: Trouble; during: 'record' | 'work' | 'commit' }

/**
 * Runs the body until it is committed or refused. A conflict, or a connection lost before COMMIT was sent, means nothing
 * was done: try again. When the answer to COMMIT is lost, only an operation id can tell what happened: writing it again
 * waits for a commit still in progress, and finds it there if the commit succeeded.
 */
export async function runTransaction<T>(
  parts: TransactParts,
  body: (session: Session) => Awaitable<T>,
  options: Transact,
): Promise<Done<T>> {
  let unsettled: Done<T> | undefined
  const until = parts.clock.monotonic() + timeFor(options)
  for (let attempt = 1; ; attempt++) {
    const client = await connect(parts.primary, unsettled !== undefined)
    const attempted = new Attempt<T>(parts, client, options)
    const ended = await attempted.run(body, unsettled)
    if ('done' in ended) return ended.done
    const { thrown, trouble, during } = ended.defeat
    // Until its id could be written again, nobody knows what became of a commit without an answer.
    if (trouble === 'refused')
      throw unsettled && during === 'record' ? outcomeUnknown(thrown) : translatePostgres(thrown)
    if (trouble === 'read-only') parts.primary.drop(undefined, thrown)
    if (trouble === 'stale-plan') parts.names.renew()
    if (during === 'commit' && trouble === 'lost') {
      if (options.operationId === undefined) throw outcomeUnknown(thrown)
      unsettled = attempted.prepared
    }
    if (attempt >= attempts || parts.clock.monotonic() >= until) {
      if (unsettled) throw outcomeUnknown(thrown)
      throw trouble === 'lost' ? noAnswer(thrown) : tooManyTries(thrown)
    }
    await sleep(pauseAfter(attempt, parts.clock))
  }
}

/** Milliseconds for each statement, after which nothing is tried again. */
const timeFor = ({ deadline }: Transact): number => deadline ?? queryTimeout

async function connect(primary: Primary, isUnsettled: boolean): Promise<pg.PoolClient> {
  try {
    return await primary.connect()
  } catch (thrown) {
    throw isUnsettled ? outcomeUnknown(thrown) : thrown
  }
}

/** One try of a transaction on one connection. */
class Attempt<T> {
  readonly #parts: TransactParts
  readonly #client: pg.PoolClient
  readonly #options: Transact
  readonly #session: PostgresSession
  #during: Defeat['during'] = 'record'
  #isReleased = false
  #isBodyToBlame = false
  #isAbandoned = false
  prepared: Done<T> | undefined

  constructor(parts: TransactParts, client: pg.PoolClient, options: Transact) {
    this.#parts = parts
    this.#client = client
    this.#options = options
    this.#session = new PostgresSession(client, parts.names, timeFor(options))
  }

  async run(
    body: (session: Session) => Awaitable<T>,
    unsettled: Done<T> | undefined,
  ): Promise<{ done: Done<T> } | { defeat: Defeat }> {
    try {
      if (this.#options.operationId !== undefined && !(await this.#record(this.#options.operationId))) {
        await this.#rollBack()
        if (unsettled) return { done: unsettled }
        throw repeatedOperation(this.#options.operationId)
      }
      const result = await this.#work(body)
      return { done: this.#session.isIdle ? this.#unneeded(result) : await this.#commit(result) }
    } catch (thrown) {
      return { defeat: await this.#settle(thrown) }
    }
  }

  async #work(body: (session: Session) => Awaitable<T>): Promise<T> {
    this.#during = 'work'
    this.#isBodyToBlame = true
    const running = enterBody(this.#parts.engine, this.#session, () => body(this.#session))
    const result = running instanceof Promise ? await this.#inTime(running) : running
    await this.#session.finish()
    this.#isBodyToBlame = false
    if (this.#session.error) throw this.#session.error.thrown
    return result
  }

  async #commit(result: T): Promise<Done<T>> {
    this.prepared = { result, moved: [...this.#session.bumped].map((area) => [area, untold]) }
    this.#during = 'commit'
    const moved = await this.#session.commit(this.#parts.channel)
    this.#release()
    return { result, moved }
  }

  #unneeded(result: T): Done<T> {
    this.#release()
    return { result, moved: [] }
  }

  /** Gives up on a body that waits for something else than its tx, with a connection in its hands. */
  async #inTime(body: Promise<T>): Promise<T> {
    const most = timeFor(this.#options) * bodyShare
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      this.#isAbandoned = true
      this.#session.abandon()
      const text = `A transaction body took longer than ${most} ms; it may await nothing but its tx.`
      late.reject(failure('internal', 'storage.body-too-slow', text))
    }, most)
    try {
      return await Promise.race([body, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async #record(id: string): Promise<boolean> {
    return (await this.#session.execute(CompiledQuery.raw(recordSql, [id]), true)).numAffectedRows === 1n
  }

  async #rollBack(): Promise<void> {
    await answerOf(this.#client, { text: 'rollback' })
    this.#release()
  }

  #release(): void {
    this.#client.release()
    this.#isReleased = true
  }

  /** Judges what went wrong and gives the connection back, or away if its state is unknown. */
  async #settle(thrown: unknown): Promise<Defeat> {
    // A statement's own error counts, whatever the body made of it; without one, what the body throws is its refusal.
    const trouble = this.#isBodyToBlame || thrown instanceof Failure ? 'refused' : troubleOf(thrown)
    const cause = this.#session.error ?? { thrown, trouble }
    const isGone = this.#isAbandoned || cause.trouble === 'lost' || cause.trouble === 'read-only'
    if (!this.#isReleased) await this.#giveBack(isGone)
    const isPassedOn = cause.trouble === 'refused'
    return { thrown: isPassedOn ? thrown : cause.thrown, trouble: cause.trouble, during: this.#during }
  }

  async #giveBack(isGone: boolean): Promise<void> {
    if (isGone) return this.#client.release(true)
    await this.#session.finish()
    if (!this.#session.isBegun) return this.#client.release()
    try {
      await this.#rollBack()
    } catch (thrown) {
      this.#client.release(thrown as Error)
    }
  }
}

/** Doubling from 4 ms, with a part taken from the clock's last digits so that rivals do not meet again. */
const pauseAfter = (attempt: number, clock: Clock): number => {
  const most = Math.min(2 ** (attempt + 1), 250)
  return most / 2 + ((clock.monotonic() * 1_000) % 1) * (most / 2)
}

const tooManyTries = (cause: unknown) =>
  failure('unavailable', 'storage.contended', 'Too many writers are changing the same data; try again.', {
    cause,
    retryAfter: 1,
  })
