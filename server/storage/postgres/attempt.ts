import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Awaitable } from '../../kernel/awaitable.ts'
import { Failure, failure } from '../../kernel/failure.ts'
import { noAnswer } from '../database-errors.ts'
import { type Engine, enterTransaction, type Session, type TransactOptions } from '../engine.ts'
import { repeatedOperation } from '../operations.ts'
import { runStatement } from './batch.ts'
import { queryTimeout } from './connection.ts'
import { PostgresSession } from './session.ts'
import type { StatementNames } from './statement-names.ts'
import { type Trouble, troubleOf } from './trouble.ts'

/** What one try needs of its engine. */
export type AttemptParts = {
  engine: Engine
  names: StatementNames
  /** Where moved versions are announced. */
  channel: string
}

/** Stands for a moved version whose number was lost with the answer; it differs from every real version. */
const unknownVersion = -1

/** What a transaction leaves behind: the work's result and the versions that moved. */
export type CompletedTransaction<T> = { result: T; movedVersions: [string, number][] }

/** The work may take longer than one statement by this factor: if the server does not answer, that time-out comes first. */
const workTimeFactor = 1.2

/** Writes an operation id unless it is there; while another transaction writes the same one, it waits for its end. */
export const recordOperationSql: string =
  'insert into operations (id, created_at) ' +
  'values ($1, floor(extract(epoch from now()) * 1000)::bigint) on conflict (id) do nothing'

/** How one try ended, when it did not end well. */
type FailedAttempt = { thrown: unknown; trouble: Trouble; during: 'record' | 'work' | 'commit' }

/** Milliseconds for each statement, after which nothing is tried again. */
export const statementTimeout = ({ deadline }: TransactOptions): number => deadline ?? queryTimeout

/**
 * One try of a transaction on one connection, which then goes back to the pool, or is closed if its state is unknown.
 * Whether there is another try is decided elsewhere: this one reports where it failed, and so what may have been done.
 */
export class Attempt<T> {
  readonly #parts: AttemptParts
  readonly #client: pg.PoolClient
  readonly #options: TransactOptions
  readonly #session: PostgresSession
  #during: FailedAttempt['during'] = 'record'
  #isReleased = false
  #isWorkToBlame = false
  #isAbandoned = false
  /** What is left behind if the commit took place, though its answer was lost. */
  prepared: CompletedTransaction<T> | undefined

  constructor(parts: AttemptParts, client: pg.PoolClient, options: TransactOptions) {
    this.#parts = parts
    this.#client = client
    this.#options = options
    const terms = { timeout: statementTimeout(options), snapshot: options.snapshot ?? false }
    this.#session = new PostgresSession(client, parts.names, terms)
  }

  /** Runs the work and commits. `unanswered` is what an earlier commit without an answer would have left behind. */
  async run(
    work: (session: Session) => Awaitable<T>,
    unanswered: CompletedTransaction<T> | undefined,
  ): Promise<{ done: CompletedTransaction<T> } | { failed: FailedAttempt }> {
    try {
      if (this.#options.operationId !== undefined && !(await this.#record(this.#options.operationId))) {
        await this.#rollBack()
        if (unanswered) return { done: unanswered }
        throw repeatedOperation(this.#options.operationId)
      }
      const result = await this.#doWork(work)
      return { done: this.#session.isIdle ? this.#skipCommit(result) : await this.#commit(result) }
    } catch (thrown) {
      return { failed: await this.#endFailed(thrown) }
    }
  }

  async #doWork(work: (session: Session) => Awaitable<T>): Promise<T> {
    this.#during = 'work'
    this.#isWorkToBlame = true
    const running = enterTransaction(this.#parts.engine, this.#session, () => work(this.#session))
    const result = running instanceof Promise ? await this.#withinDeadline(running) : running
    await this.#session.finish()
    this.#isWorkToBlame = false
    if (this.#session.error) throw this.#session.error.thrown
    return result
  }

  async #commit(result: T): Promise<CompletedTransaction<T>> {
    this.prepared = { result, movedVersions: [...this.#session.bumped].map((area) => [area, unknownVersion]) }
    this.#during = 'commit'
    const movedVersions = await this.#session.commit(this.#parts.channel)
    this.#release()
    return { result, movedVersions }
  }

  #skipCommit(result: T): CompletedTransaction<T> {
    this.#release()
    return { result, movedVersions: [] }
  }

  /**
   * Gives up on work that awaits something other than its tx while it holds a connection, or whose queries take too
   * long together.
   */
  async #withinDeadline(work: Promise<T>): Promise<T> {
    const most = statementTimeout(this.#options) * workTimeFactor
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      this.#isAbandoned = true
      this.#session.abandon()
      const text = `A transaction's work took longer than ${most} ms`
      if (this.#session.isWaiting) late.reject(noAnswer(new Error(`${text}, at last waiting for the database.`)))
      else late.reject(failure('internal', 'storage.body-too-slow', `${text}; it may await nothing but its tx.`))
    }, most)
    try {
      return await Promise.race([work, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async #record(id: string): Promise<boolean> {
    return (await this.#session.execute(CompiledQuery.raw(recordOperationSql, [id]), true)).numAffectedRows === 1n
  }

  async #rollBack(): Promise<void> {
    await runStatement(this.#client, { text: 'rollback' })
    this.#release()
  }

  #release(): void {
    this.#client.release()
    this.#isReleased = true
  }

  /** Judges what went wrong and gives the connection back, or away if its state is unknown. */
  async #endFailed(thrown: unknown): Promise<FailedAttempt> {
    // A statement's own error counts, whatever the work made of it; without one, what the work throws is its refusal.
    const trouble = this.#isWorkToBlame || thrown instanceof Failure ? 'refused' : troubleOf(thrown)
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
