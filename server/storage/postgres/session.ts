import type { CompiledQuery, QueryResult } from 'kysely'
import type pg from 'pg'
import { failure } from '../../kernel/failure.ts'
import { type Area, bumpSql } from '../areas.ts'
import { transactionFailed, transactionOver } from '../database-errors.ts'
import type { Session } from '../engine.ts'
import { type Answer, runStatements, type Statement } from './batch.ts'
import { resultOf } from './results.ts'
import type { StatementNames } from './statement-names.ts'
import { type Trouble, troubleOf } from './trouble.ts'

const begin: Statement = { text: 'begin isolation level read committed', name: 'hf_begin' }
const beginSnapshot: Statement = { text: 'begin isolation level repeatable read read only', name: 'hf_begin_snapshot' }
const commit: Statement = { text: 'commit', name: 'hf_commit' }

/** Moves an area's version, returns the new one, and notifies listeners once it is committed. */
const bumpOf = (area: Area, channel: string) => ({
  sql: `with moved as (${bumpSql('$1')}) select version, pg_notify($2, $1::text || ':' || version) from moved`,
  parameters: [area, channel],
})

/** What a transaction has started at once, and what it comes to. */
type PendingBatch = { readonly statements: Statement[]; readonly answers: Promise<Answer[]> }

/**
 * One transaction's use of a connection. A round trip to the server costs more than most statements, so the transaction begins together
 * with its first statement, and what the work left for the end travels with the commit (docs/decisions/0017).
 */
export class PostgresSession implements Session {
  readonly kind = 'postgres'
  readonly bumped: Set<Area> = new Set()
  readonly #client: pg.PoolClient
  readonly #names: StatementNames
  readonly #timeout: number
  readonly #begin: Statement
  #open = true
  #isBegun = false
  #pendingBatch: PendingBatch | undefined
  #last: Promise<unknown> = Promise.resolve()
  #unanswered = 0
  readonly #atEnd: CompiledQuery[] = []
  #error: { thrown: unknown; trouble: Trouble } | undefined

  constructor(client: pg.PoolClient, names: StatementNames, terms: { timeout: number; snapshot: boolean }) {
    this.#client = client
    this.#names = names
    this.#timeout = terms.timeout
    this.#begin = terms.snapshot ? beginSnapshot : begin
  }

  get open(): boolean {
    return this.#open
  }

  /** What the first failed statement threw, should there be one; the work may have hidden it. */
  get error(): { thrown: unknown; trouble: Trouble } | undefined {
    return this.#error
  }

  /** Queries are carried out one after the other; those that the work starts at once travel as one. */
  async execute<R>(query: CompiledQuery, hot = false): Promise<QueryResult<R>> {
    this.#requireUsable()
    this.#pendingBatch ??= this.#startBatch()
    const { statements, answers } = this.#pendingBatch
    const place = statements.push(this.#statementOf(query, hot)) - 1
    return resultOf<R>((await answers)[place] as Answer)
  }

  atEnd(query: CompiledQuery): void {
    this.#requireUsable()
    this.#atEnd.push(query)
  }

  /** True while the server owes the answer to a query. */
  get isWaiting(): boolean {
    return this.#unanswered > 0
  }

  /** True once a transaction is open on the connection. */
  get isBegun(): boolean {
    return this.#isBegun
  }

  /** True if there is nothing to commit: the work has asked for nothing. */
  get isIdle(): boolean {
    return !this.#isBegun && this.#atEnd.length === 0 && this.bumped.size === 0
  }

  /**
   * Sends what was left for the end, the versions that move, in a fixed order, and the commit, all in one batch. Answers
   * with the versions when it is committed. Where no transaction was begun, the batch is one by itself.
   */
  async commit(channel: string): Promise<[Area, number][]> {
    const areas = [...this.bumped].sort()
    const last = [...this.#atEnd, ...areas.map((area) => bumpOf(area, channel))]
    const statements = last.map((query) => this.#statementOf(query, true))
    const ending = this.#isBegun ? [commit] : []
    const answers = await runStatements(this.#client, [...statements, ...ending], this.#timeout)
    // A commit is answered with ROLLBACK when a statement had failed.
    if (this.#isBegun && answers.at(-1)?.command !== 'COMMIT') {
      throw failure('internal', 'storage.rolled-back', 'The transaction was rolled back.')
    }
    const moved = answers.slice(this.#atEnd.length)
    return areas.map((area, index) => [area, Number(moved[index]?.rows[0]?.version ?? 0)])
  }

  /** Ends the session at once; a query that is still out is not waited for. */
  abandon(): void {
    this.#open = false
  }

  /** Ends the session once its last query has been answered. */
  async finish(): Promise<void> {
    await this.#last
    this.#open = false
  }

  #requireUsable(): void {
    if (!this.#open) throw transactionOver()
    if (this.#error) throw transactionFailed(this.#error.thrown)
  }

  /** Waits until the work has started all that it starts at once. Behind a begin that fails, nothing is carried out. */
  #startBatch(): PendingBatch {
    const statements = this.#isBegun ? [] : [this.#begin]
    this.#isBegun = true
    const answers = new Promise<void>((resolve) => process.nextTick(resolve)).then(() => {
      this.#pendingBatch = undefined
      return runStatements(this.#client, statements, this.#timeout)
    })
    this.#unanswered++
    this.#last = answers.then(
      () => {
        this.#unanswered--
      },
      (thrown) => {
        this.#unanswered--
        // What follows a bad statement fails because of it.
        this.#error ??= { thrown, trouble: troubleOf(thrown) }
      },
    )
    return { statements, answers }
  }

  #statementOf({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>, hot: boolean): Statement {
    return { text: sql, values: parameters, name: hot ? this.#names.of(sql) : undefined }
  }
}
