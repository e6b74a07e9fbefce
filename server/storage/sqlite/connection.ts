import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { QueryResult } from 'kysely'
import { type ShapeRow, shapeOf } from '../row-shape.ts'

/** A prepared statement. Rows come as arrays of values, one for each column, and `shape` turns each into an object. */
type Prepared = { readonly statement: StatementSync; readonly columns: readonly string[]; readonly shape: ShapeRow }

/** Rows as SQLite gives them, before they have a shape. */
export type Table = { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }

/** How a connection is opened. A durable one that is read-write needs its log flushed by whoever commits through it. */
export type ConnectionOptions = {
  readOnly: boolean
  durable: boolean
  /** True in a thread of its own, where it holds up nobody. */
  mayBlock?: boolean
  /** How much of the file the connection keeps in memory; 2 MB unless it is said. */
  cacheBytes?: number | undefined
}

/** Milliseconds SQLite itself waits for a lock. On the event loop it blocks everybody, so the rest is waited outside. */
const busyTimeout = { onLoop: 2, inThread: 2_000 }
const mostPrepared = 1_000

/** A connection to a SQLite file that keeps its prepared statements. */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()

  constructor(file: string, options: ConnectionOptions) {
    this.#database = new DatabaseSync(file, {
      readOnly: options.readOnly,
      timeout: options.mayBlock ? busyTimeout.inThread : busyTimeout.onLoop,
      enableForeignKeyConstraints: true,
    })
    try {
      if (options.cacheBytes !== undefined) this.#keepPages(options.cacheBytes)
      if (!options.readOnly) this.#prepareToWrite(options)
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /** Kibibytes are negative; a positive number would be one of pages. */
  #keepPages(bytes: number): void {
    this.#database.exec(`pragma cache_size = -${Math.ceil(bytes / 1024)}`)
  }

  /** The first statement needs the file, which another process may have locked. */
  #prepareToWrite({ durable }: ConnectionOptions): void {
    this.#database.exec('pragma journal_mode = wal')
    // 'full' is this and a flush of the log within each commit, which would hold up the whole process: see LogFlusher.
    this.#database.exec(`pragma synchronous = ${durable ? 'normal' : 'off'}`)
    this.#database.exec('pragma journal_size_limit = 67108864')
    // A root key that was handed over must not outlast its row, for which a later copy of the file would be enough.
    this.#database.exec('pragma secure_delete = fast')
    // Long before that the log is copied beside the event loop: see Checkpointer.
    if (durable) this.#database.exec('pragma wal_autocheckpoint = 16384')
  }

  /** False also when SQLite has rolled back by itself, as it does when the disk is full. */
  get isInTransaction(): boolean {
    return this.#database.isTransaction
  }

  /** Runs a statement to its end. */
  run<R>(sql: string, parameters: readonly unknown[] = []): QueryResult<R> {
    const prepared = this.#prepare(sql)
    if (prepared.columns.length > 0) {
      const { found, shape } = this.#all(sql, prepared, parameters)
      return { rows: found.map((values) => shape(values) as R), numAffectedRows: BigInt(found.length) }
    }
    const { changes } = prepared.statement.run(...(parameters as SQLInputValue[]))
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  /** Runs a statement that reads, for another thread to give the rows their shape. */
  table(sql: string, parameters: readonly unknown[]): Table {
    const { found, columns } = this.#all(sql, this.#prepare(sql), parameters)
    return { columns, rows: found }
  }

  /** Runs a statement that takes and returns nothing: `begin`, `savepoint` and the like. */
  control(sql: string): void {
    this.#prepare(sql).statement.run()
  }

  close(): void {
    this.#prepared.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #all(sql: string, prepared: Prepared, parameters: readonly unknown[]) {
    const { statement, columns } = prepared
    const found = statement.all(...(parameters as SQLInputValue[])) as unknown as (readonly unknown[])[]
    // When a table has gained a column, SQLite prepares the statement again by itself.
    const current = found[0] && found[0].length !== columns.length ? this.#keep(sql, statement) : prepared
    return { found, columns: current.columns, shape: current.shape }
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) return known
    if (this.#prepared.size >= mostPrepared) this.#forgetOldest()
    return this.#keep(sql, this.#database.prepare(sql))
  }

  #keep(sql: string, statement: StatementSync): Prepared {
    const columns = statement.columns().map(({ name }) => name)
    if (columns.length > 0) statement.setReturnArrays(true)
    const prepared = { statement, columns, shape: shapeOf(columns) }
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
