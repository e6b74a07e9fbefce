import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CompiledQuery, QueryResult } from 'kysely'
import { systemClock } from '../../kernel/clock.ts'
import type { Area } from '../areas.ts'
import { transactionFailed, transactionOver } from '../database-errors.ts'
import type { Session } from '../engine.ts'
import type { SqliteConnection } from './connection.ts'

/** Statements that change nothing, whatever they return. */
const readStatement = /^select /
/** Statements that change something if they return a row or count one. */
const countingStatement = /^(insert|update|delete) /

/** Milliseconds after which a long transaction lets others read. */
const turnTime = 8

/** One transaction's use of the write connection. */
export class SqliteSession implements Session {
  readonly kind = 'sqlite'
  readonly #connection: SqliteConnection
  #bumped: Set<Area> | undefined
  #committed: (() => void) | undefined
  #open = true
  #hasWritten = false
  #error: { thrown: unknown } | undefined
  readonly #onTurn: (() => void) | undefined
  #turnEndsAt = Number.NaN

  constructor(connection: SqliteConnection, onTurn?: () => void) {
    this.#connection = connection
    this.#onTurn = onTurn
  }

  get bumped(): Set<Area> {
    this.#bumped ??= new Set()
    return this.#bumped
  }

  /** True if there is a version to write before the commit. */
  get hasBumped(): boolean {
    return this.#bumped !== undefined
  }

  /** False only while it is certain that there is nothing to roll back. */
  get hasWritten(): boolean {
    return this.#hasWritten
  }

  get open(): boolean {
    return this.#open
  }

  execute<R>(query: CompiledQuery): QueryResult<R> {
    return this.run(query.sql, query.parameters)
  }

  /** Runs a statement at once. After a failed one nothing more runs: PostgreSQL would not let it either. */
  run<R>(sql: string, parameters: readonly unknown[] = []): QueryResult<R> {
    if (!this.#open) throw transactionOver()
    if (this.#error) throw transactionFailed(this.#error.thrown)
    try {
      const result = this.#connection.run<R>(sql, parameters)
      this.#hasWritten ||= !readStatement.test(sql) && !(result.numAffectedRows === 0n && countingStatement.test(sql))
      return result
    } catch (thrown) {
      this.#error = { thrown }
      throw thrown
    }
  }

  /** The first call begins to count: most transactions never ask for the time. */
  async letOthersRead(): Promise<void> {
    const now = systemClock.monotonic()
    if (now < this.#turnEndsAt) return
    if (!Number.isNaN(this.#turnEndsAt)) await nextTurn()
    this.#turnEndsAt = systemClock.monotonic() + turnTime
    this.#onTurn?.()
  }

  /** Calls this when the transaction is durable, before its caller is answered. */
  whenCommitted(action: () => void): void {
    this.#committed = action
  }

  /** Tells the session that its work is durable. */
  committed(): void {
    this.#committed?.()
  }

  /** Ends the session. Throws what a statement threw, in case the work caught the error and went on. */
  finish(hasFailed: boolean): void {
    this.#open = false
    if (this.#error && !hasFailed) throw this.#error.thrown
  }
}
