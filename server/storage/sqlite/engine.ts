import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery, QueryResult } from 'kysely'
import { type Awaitable, andThen } from '../../kernel/awaitable.ts'
import type { Clock, Instant } from '../../kernel/clock.ts'
import { type Failure, failure, textOf } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import { bumpSql } from '../areas.ts'
import { isSqliteBusy, translateSqlite } from '../database-errors.ts'
import { isReadOnly } from '../dialect.ts'
import {
  assertOutsideTransaction,
  type Engine,
  enterTransaction,
  type Runner,
  readsOnly,
  type Session,
  type StoreLoad,
  type TransactOptions,
} from '../engine.ts'
import { repeatedOperation } from '../operations.ts'
import { VersionTracker } from '../version-tracker.ts'
import { Checkpointer } from './checkpointer.ts'
import { SqliteConnection } from './connection.ts'
import { LogFlusher } from './log-flusher.ts'
import { mostThreads, ReaderThreads, type ReadLimits } from './reader-threads.ts'
import { SqliteSession } from './session.ts'
import { type QueueLimits, WriteQueue } from './write-queue.ts'

/** What the embedded engine needs. */
type SqliteOptions = {
  file: string
  durable: boolean
  clock: Clock
  log: Log
  /** For all connections together. */
  cacheBytes?: number | undefined
  limits?: Partial<QueueLimits>
  readLimits?: Partial<ReadLimits>
}

const single = { single: true }

/** Those of the threads, the one that writes, the one that reads on the event loop and the one of a snapshot. */
const connections = mostThreads + 3

/** Waits between tries while another process has the file locked, in milliseconds. */
const retryPauses = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]

/**
 * The embedded engine: one connection writes through the queue, another reads beside it, threads do long reads, and each
 * snapshot has a connection of its own.
 */
class SqliteEngine implements Engine {
  readonly kind = 'sqlite'
  readonly versions: VersionTracker
  readonly reads: Runner = { kind: 'sqlite', execute: (query) => this.#readInThread(query) }
  readonly #options: SqliteOptions
  readonly #writer: SqliteConnection
  readonly #reader: SqliteConnection
  readonly #queue: WriteQueue
  readonly #threads: ReaderThreads
  /** A connection for the next snapshot: to open one costs more than most of what is read there. */
  #idle: SqliteConnection | undefined
  #isClosed = false
  #dataVersion: number | undefined

  constructor(options: SqliteOptions) {
    this.#options = options
    const { file, clock, log, durable } = options
    const cacheBytes = this.#cacheBytes
    this.#writer = new SqliteConnection(file, { readOnly: false, durable, cacheBytes })
    this.#reader = this.#openReader()
    this.#threads = new ReaderThreads({ file, clock, log, cacheBytes, limits: options.readLimits })
    const flusher = durable ? new LogFlusher(file) : undefined
    const checkpointer = durable ? new Checkpointer({ file, log, writer: this.#writer }) : undefined
    const onWritten = () => this.versions.noteWrite()
    this.#queue = new WriteQueue(this.#writer, { ...options, flusher, checkpointer, onWritten })
    this.versions = new VersionTracker({ refresh: (tracker) => nowOrRetried(() => this.#refresh(tracker)) })
  }

  execute<R>(query: CompiledQuery): Awaitable<QueryResult<R>> {
    assertOutsideTransaction(this)
    const { sql, parameters } = query
    if (!isReadOnly(query)) return this.#queue.run((session) => session.run<R>(sql, parameters), single)
    return nowOrRetried(() => this.#reader.run(sql, parameters))
  }

  async #readInThread<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    assertOutsideTransaction(this)
    if (!isReadOnly(query)) throw readsOnly()
    const { sql, parameters } = query
    return await this.#threads.read({ sql, parameters })
  }

  transaction<T>(work: (session: Session) => Awaitable<T>, options: TransactOptions): Promise<T> {
    assertOutsideTransaction(this)
    const run = (session: SqliteSession) =>
      enterTransaction(this, session, () => this.#runWork(session, work, options.operationId))
    return this.#queue.run(run, options)
  }

  async snapshot<T>(work: (session: Session) => Awaitable<T>): Promise<T> {
    assertOutsideTransaction(this)
    const connection = this.#idle ?? this.#openReader()
    this.#idle = undefined
    const session = new SqliteSession(connection)
    try {
      connection.control('begin')
      return await enterTransaction(this, session, () => work(session))
    } catch (thrown) {
      throw translateSqlite(thrown)
    } finally {
      session.finish(true)
      this.#endSnapshot(connection)
    }
  }

  #openReader(): SqliteConnection {
    const { file, durable } = this.#options
    return new SqliteConnection(file, { readOnly: true, durable, cacheBytes: this.#cacheBytes })
  }

  /** What each connection may keep in memory. */
  get #cacheBytes(): number | undefined {
    const { cacheBytes } = this.#options
    return cacheBytes && cacheBytes / connections
  }

  #endSnapshot(connection: SqliteConnection): void {
    if (connection.isInTransaction) connection.control('rollback')
    if (this.#idle || this.#isClosed) connection.close()
    else this.#idle = connection
  }

  #runWork<T>(
    session: SqliteSession,
    work: (session: Session) => Awaitable<T>,
    operationId: string | undefined,
  ): Awaitable<T> {
    if (operationId !== undefined) recordOperation(session, operationId, this.#options.clock)
    return andThen(work(session), (result) => {
      if (session.hasBumped) this.#bump(session)
      return result
    })
  }

  #bump(session: SqliteSession): void {
    const areas = [...session.bumped].sort()
    const moved = areas.map((area) => [area, session.run<{ version: number }>(bumpSql('?'), [area]).rows[0]?.version])
    session.whenCommitted(() => {
      for (const [area, version] of moved) this.versions.noteVersion(String(area), Number(version))
    })
  }

  get load(): StoreLoad {
    return { queued: this.#queue.length }
  }

  get broken(): Failure | undefined {
    return this.#queue.broken
  }

  async databaseNow(): Promise<Instant> {
    return this.#options.clock.now()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#idle?.close()
    await this.#queue.close()
    await this.#threads.close()
    this.#reader.close()
    this.#writer.close()
  }

  /** The number moves on the write connection only when somebody else has written. */
  #refresh(tracker: VersionTracker): void {
    const current = this.#writer.run<{ data_version: number }>('pragma data_version').rows[0]?.data_version
    if (current === this.#dataVersion) return
    tracker.noteWrite()
    const { rows } = this.#reader.run<{ area: string; version: number }>('select area, version from versions')
    for (const { area, version } of rows) tracker.noteVersion(area, version)
    this.#dataVersion = current
  }
}

function recordOperation(session: SqliteSession, id: string, clock: Clock): void {
  const sql = 'insert into operations (id, created_at) values (?, ?) on conflict (id) do nothing'
  if (session.run(sql, [id, clock.now()]).numAffectedRows === 0n) throw repeatedOperation(id)
}

/** Opens the database file, making it if needed, readable by its owner alone. */
export async function openSqlite(options: SqliteOptions): Promise<SqliteEngine> {
  try {
    closeSync(openSync(options.file, 'a', 0o600))
    return await retryWhileBusy(() => new SqliteEngine(options))
  } catch (thrown) {
    const why = textOf(thrown).replace(/\.$/, '')
    const text = `The database file '${options.file}' cannot be opened: ${why}.`
    throw failure('unavailable', 'storage.cannot-open', text, { cause: thrown })
  }
}

/** The result at once; only if another process has the file locked, it comes later. */
function nowOrRetried<T>(action: () => T): Awaitable<T> {
  try {
    return action()
  } catch (thrown) {
    if (!isSqliteBusy(thrown)) throw translateSqlite(thrown)
  }
  return retryWhileBusy(action)
}

/** Tries again while another process has the file locked, without blocking this one. */
async function retryWhileBusy<T>(action: () => T): Promise<T> {
  for (const pause of retryPauses) {
    try {
      return action()
    } catch (thrown) {
      if (!isSqliteBusy(thrown)) throw translateSqlite(thrown)
    }
    await sleep(pause)
  }
  try {
    return action()
  } catch (thrown) {
    throw translateSqlite(thrown)
  }
}
