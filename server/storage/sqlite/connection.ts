import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { QueryResult } from 'kysely'

type Prepared = { statement: StatementSync; returnsRows: boolean }

/** How a connection is opened. A durable one that is read-write needs its log flushed by whoever commits through it. */
export type ConnectionOptions = { readOnly: boolean; durable: boolean }

/** Milliseconds SQLite itself waits for a lock. It blocks the whole process meanwhile, so the rest is waited outside. */
const busyTimeout = 2
const mostPrepared = 1_000

/** A connection to a SQLite file that keeps its prepared statements. */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()

  constructor(file: string, options: ConnectionOptions) {
    this.#database = new DatabaseSync(file, {
      readOnly: options.readOnly,
      timeout: busyTimeout,
      enableForeignKeyConstraints: true,
    })
    if (options.readOnly) return
    this.#database.exec('pragma journal_mode = wal')
    // 'full' is this and a flush of the log within each commit, which would hold up the whole process: see LogFlusher.
    this.#database.exec(`pragma synchronous = ${options.durable ? 'normal' : 'off'}`)
    this.#database.exec('pragma journal_size_limit = 67108864')
    // Long before that the log is copied beside the event loop: see Checkpointer.
    if (options.durable) this.#database.exec('pragma wal_autocheckpoint = 16384')
  }

  /** False also when SQLite has rolled back by itself, as it does when the disk is full. */
  get isInTransaction(): boolean {
    return this.#database.isTransaction
  }

  /** Runs a statement to its end. */
  run<R>(sql: string, parameters: readonly unknown[] = []): QueryResult<R> {
    const { statement, returnsRows } = this.#prepare(sql)
    const values = parameters as SQLInputValue[]
    if (!returnsRows) return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
    const rows = statement.all(...values) as R[]
    return { rows, numAffectedRows: BigInt(rows.length) }
  }

  /** Runs a statement that takes and returns nothing: `begin`, `savepoint` and the like. */
  control(sql: string): void {
    this.#prepare(sql).statement.run()
  }

  close(): void {
    this.#prepared.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    if (this.#prepared.size >= mostPrepared) this.#forgetOldest()
    this.#prepared.set(sql, prepared)
    return prepared
  }

  #forgetOldest(): void {
    for (const oldest of this.#prepared.keys()) {
      this.#prepared.delete(oldest)
      return
    }
  }
}
