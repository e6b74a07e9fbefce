import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { QueryResult } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import { limitConcurrency } from '../../kernel/limit-concurrency.ts'
import type { Log } from '../../kernel/log.ts'
import { startThread } from '../../kernel/threads.ts'
import { noAnswer, saturated, storeClosed, translateSqlite } from '../database-errors.ts'
import { shapeOf } from '../row-shape.ts'
import type { Table } from './connection.ts'
import type { FoundMessage, ReaderData, ReadMessage } from './reader-thread.ts'

/** How reads in threads are limited; times in milliseconds. */
export type ReadLimits = {
  /** How long a read may take, its wait included. */
  readonly deadline: number
  /** How many reads there may be at a time, most of which wait. */
  readonly reads: number
  /** How long a statement takes that leaves one thread to others the next time. */
  readonly slow: number
}

/** What is usual; the deadline is that of a query on PostgreSQL. */
const defaultLimits: ReadLimits = { deadline: 30_000, reads: 1_000, slow: 50 }

/** What reader threads work with. */
type ReaderParts = ReaderData & {
  readonly clock: Clock
  readonly log: Log
  readonly limits?: Partial<ReadLimits> | undefined
}

/** How many threads there are at most. */
export const mostThreads = 2

/** How many slow statements are known at most. */
const mostSlow = 1_000

/** How long the end of a thread is waited for, as that of a connection on PostgreSQL. */
const endsWithin = 2_000

// Where the program is not run as TypeScript, its emitted JavaScript is beside this file.
const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
const program = new URL(`./reader-thread${ending}`, import.meta.url)

/** One thread, which starts with its first read, and again with the next after it was lost. */
class ReaderThread {
  readonly #data: ReaderData
  readonly #log: Log
  #worker: Worker | undefined
  #answer: PromiseWithResolvers<Table> | undefined

  constructor({ file, cacheBytes, log }: ReaderParts) {
    this.#data = { file, cacheBytes }
    this.#log = log
  }

  /** Does one read, before which the last one has ended. */
  async read(message: ReadMessage): Promise<Table> {
    const answer = Promise.withResolvers<Table>()
    this.#answer = answer
    this.#worker ??= this.#start()
    const worker = this.#worker
    worker.ref()
    worker.postMessage(message)
    try {
      return await answer.promise
    } finally {
      worker.unref()
    }
  }

  /** Ends the thread, which SQLite does not let go before the end of the step that it is in. */
  async end(): Promise<void> {
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = startThread(program, {
      workerData: this.#data,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    })
    let reason = new Error('The thread was ended.')
    worker.on('message', (message: FoundMessage) => {
      if ('table' in message) this.#answer?.resolve(message.table)
      else this.#answer?.reject(sqliteError(message.problem))
    })
    worker.on('error', (error: Error) => {
      this.#log.error({ error }, 'a thread that reads the database failed')
      reason = error
    })
    worker.on('exit', () => {
      this.#worker = undefined
      this.#answer?.reject(noAnswer(reason))
    })
    return worker
  }
}

const sqliteError = ({ text, errcode }: { text: string; errcode: unknown }): unknown =>
  translateSqlite(Object.assign(new Error(text), { code: 'ERR_SQLITE_ERROR', errcode }))

/**
 * Reads in threads with read-only connections, while the event loop goes on. There are two. A statement that was slow the
 * last time leaves one of them to others, so that quick reads need not wait for it (docs/decisions/0025).
 */
export class ReaderThreads {
  readonly #clock: Clock
  readonly #limits: ReadLimits
  readonly #threads: readonly ReaderThread[]
  readonly #idle: ReaderThread[]
  readonly #turn = limitConcurrency(mostThreads)
  readonly #slowTurn = limitConcurrency(mostThreads - 1)
  readonly #slow = new Set<string>()
  #reads = 0
  #isClosed = false

  constructor(parts: ReaderParts) {
    this.#clock = parts.clock
    this.#limits = { ...defaultLimits, ...parts.limits }
    this.#threads = Array.from({ length: mostThreads }, () => new ReaderThread(parts))
    this.#idle = [...this.#threads]
  }

  /** Runs a statement that only reads. It sees everything that was committed before. */
  async read<R>(message: ReadMessage): Promise<QueryResult<R>> {
    if (this.#reads >= this.#limits.reads) throw saturated(new Error('Too many reads wait for a thread.'))
    this.#reads += 1
    try {
      const { columns, rows } = await this.#inTime(message)
      const shape = shapeOf(columns)
      return { rows: rows.map((values) => shape(values) as R), numAffectedRows: BigInt(rows.length) }
    } finally {
      this.#reads -= 1
    }
  }

  /** True while somebody reads or waits for a thread. */
  get isBusy(): boolean {
    return this.#reads > 0
  }

  /** Refuses further reads, and ends the threads. */
  async close(): Promise<void> {
    this.#isClosed = true
    const ended = Promise.all(this.#threads.map((thread) => thread.end()))
    await Promise.race([ended, sleep(endsWithin, undefined, { ref: false })])
  }

  /** Gives up at the deadline. A thread that is at work then is ended, and its place is taken until it has ended. */
  async #inTime(message: ReadMessage): Promise<Table> {
    const overdue = new AbortController()
    const { promise, resolve, reject } = Promise.withResolvers<Table>()
    const timer = setTimeout(() => {
      reject(noAnswer(new Error(`A read took longer than ${this.#limits.deadline} ms.`)))
      overdue.abort()
    }, this.#limits.deadline)
    const { signal } = overdue
    const work = () => this.#turn(() => this.#inThread(message, signal), signal)
    const done = this.#slow.has(message.sql) ? this.#slowTurn(work, signal) : work()
    done.then(resolve, reject)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }

  async #inThread(message: ReadMessage, signal: AbortSignal): Promise<Table> {
    const thread = this.#idle.pop()
    if (this.#isClosed || !thread) throw storeClosed()
    const end = () => void thread.end()
    signal.addEventListener('abort', end)
    const since = this.#clock.monotonic()
    try {
      return await thread.read(message)
    } finally {
      signal.removeEventListener('abort', end)
      this.#idle.push(thread)
      this.#noteTime(message.sql, this.#clock.monotonic() - since)
    }
  }

  #noteTime(sql: string, took: number): void {
    if (took < this.#limits.slow) this.#slow.delete(sql)
    else if (this.#slow.size < mostSlow) this.#slow.add(sql)
  }
}
