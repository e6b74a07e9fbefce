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

/** What the engine has open. */
type Connections = {
  readonly writer: SqliteConnection
  readonly reader: SqliteConnection
  readonly queue: WriteQueue
  readonly threads: ReaderThreads
}

/** How often it is tried to close the file, and for how long each time those who read are waited for, in milliseconds. */
const closing = { tries: 20, patience: 400, pause: 500, poll: 5 }

/**
 * The embedded engine: one connection writes through the queue, another reads beside it, threads do long reads, and each
 * snapshot has a connection of its own.
 */
class SqliteEngine implements Engine {
  readonly kind = 'sqlite'
  readonly versions: VersionTracker
  readonly reads: Runner = { kind: 'sqlite', execute: (query) => this.#whenOpen(() => this.#readInThread(query)) }
  readonly #options: SqliteOptions
  #open: Connections
  /** A connection for the next snapshot: to open one costs more than most of what is read there. */
  #idle: SqliteConnection | undefined
  #snapshots = 0
  /** Settles when the file is open again, for those who come while it is closed. */
  #reopening: Promise<void> | undefined
  #isClosed = false
  #dataVersion: number | undefined

  constructor(options: SqliteOptions) {
    this.#options = options
    this.versions = new VersionTracker({
      refresh: (tracker) => this.#whenOpen(() => nowOrRetried(() => this.#refresh(tracker))),
    })
    this.#open = this.#connect()
  }

  #connect(): Connections {
    const { file, clock, log, durable, readLimits: limits } = this.#options
    const cacheBytes = this.#cacheBytes
    const writer = new SqliteConnection(file, { readOnly: false, durable, cacheBytes })
    const reader = this.#openReader()
    const threads = new ReaderThreads({ file, clock, log, cacheBytes, limits })
    const flusher = durable ? new LogFlusher(file) : undefined
    const checkpointer = durable ? new Checkpointer({ file, log, writer }) : undefined
    const onWritten = () => this.versions.noteWrite()
    const queue = new WriteQueue(writer, { ...this.#options, flusher, checkpointer, onWritten })
    return { writer, reader, queue, threads }
  }

  /** Does something with the connections, which others may have to open again first. */
  #whenOpen<T>(action: () => Awaitable<T>): Awaitable<T> {
    return this.#reopening ? this.#reopening.then(() => this.#whenOpen(action)) : action()
  }

  execute<R>(query: CompiledQuery): Awaitable<QueryResult<R>> {
    assertOutsideTransaction(this)
    if (this.#reopening) return this.#whenOpen(() => this.execute<R>(query))
    const { sql, parameters } = query
    if (!isReadOnly(query)) return this.#open.queue.run((session) => session.run<R>(sql, parameters), single)
    return nowOrRetried(() => this.#open.reader.run(sql, parameters))
  }

  async #readInThread<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    assertOutsideTransaction(this)
    if (!isReadOnly(query)) throw readsOnly()
    const { sql, parameters } = query
    return await this.#open.threads.read({ sql, parameters })
  }

  async transaction<T>(work: (session: Session) => Awaitable<T>, options: TransactOptions): Promise<T> {
    assertOutsideTransaction(this)
    const run = (session: SqliteSession) =>
      enterTransaction(this, session, () => this.#runWork(session, work, options.operationId))
    return await this.#whenOpen(() => this.#open.queue.run(run, options))
  }

  async snapshot<T>(work: (session: Session) => Awaitable<T>): Promise<T> {
    assertOutsideTransaction(this)
    return await this.#whenOpen(() => this.#inSnapshot(work))
  }

  async #inSnapshot<T>(work: (session: Session) => Awaitable<T>): Promise<T> {
    this.#snapshots += 1
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
      this.#snapshots -= 1
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
    return { queued: this.#open.queue.length }
  }

  get broken(): Failure | undefined {
    return this.#open.queue.broken
  }

  async databaseNow(): Promise<Instant> {
    return this.#options.clock.now()
  }

  async whileClosed<T>(work: () => Promise<T>): Promise<T | undefined> {
    for (let left = closing.tries; left > 0; left--) {
      if (this.#isClosed || this.#reopening || this.broken) return undefined
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#reopening = promise
      try {
        if (await this.#readersAreGone()) return await this.#whileClosed(work)
      } finally {
        this.#reopening = undefined
        resolve()
      }
      await sleep(closing.pause)
    }
    return undefined
  }

  /** Waits a moment for those who read already; nobody begins meanwhile. */
  async #readersAreGone(): Promise<boolean> {
    for (let waited = 0; this.#snapshots > 0 || this.#open.threads.isBusy; waited += closing.poll) {
      if (waited >= closing.patience) return false
      await sleep(closing.poll)
    }
    return true
  }

  async #whileClosed<T>(work: () => Promise<T>): Promise<T> {
    await this.#disconnect()
    try {
      return await work()
    } finally {
      this.#open = await this.#reconnect()
      // It is counted by connection, and may be the same by chance.
      this.#dataVersion = undefined
    }
  }

  /** On a full disk not even the log can be begun, for instance: it is tried until it works, since nothing works without. */
  async #reconnect(): Promise<Connections> {
    for (;;) {
      try {
        return await retryWhileBusy(() => this.#connect())
      } catch (error) {
        if (this.#isClosed) throw error
        this.#options.log.error({ error }, 'the database could not be opened again; it is tried until it can')
      }
      await sleep(closing.pause)
    }
  }

  async #disconnect(): Promise<void> {
    const { queue, threads, reader, writer } = this.#open
    this.#idle?.close()
    this.#idle = undefined
    await queue.close()
    await threads.close()
    reader.close()
    writer.close()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#reopening
    await this.#disconnect()
  }

  /** The number moves on the write connection only when somebody else has written. */
  #refresh(tracker: VersionTracker): void {
    const { writer, reader } = this.#open
    const current = writer.run<{ data_version: number }>('pragma data_version').rows[0]?.data_version
    if (current === this.#dataVersion) return
    tracker.noteWrite()
    const { rows } = reader.run<{ area: string; version: number }>('select area, version from versions')
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
