import type { Worker } from 'node:worker_threads'
import type { Log } from '../../kernel/log.ts'
import { startThread } from '../../kernel/threads.ts'
import type { SqliteConnection } from './connection.ts'

/** The log: its pages, and how many of them are in the database file as well. */
export type LogState = { readonly log: number; readonly checkpointed: number }

/** What a checkpointer works with. */
export type CheckpointerParts = {
  readonly file: string
  readonly writer: SqliteConnection
  readonly log: Log
  /** Pages of the log that are worth a checkpoint. */
  readonly minPages?: number
}

const nothing: LogState = { log: 0, checkpointed: 0 }

/** 16 MiB. The longer the log, the more often a page in it is replaced before it has to be copied. */
const defaultMinPages = 4_096

/** Commits between two polls of the log, which take some microseconds each. */
const pollEvery = 16

// Where the program is not run as TypeScript, its emitted JavaScript is beside this file.
const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
const program = new URL(`./checkpoint-thread${ending}`, import.meta.url)

/**
 * Copies the log into the database file beside the event loop. SQLite would do so within a commit, where everybody waits for
 * the disk. The log starts over once all of it is copied. While writes go on that moment never comes, so there are two
 * rounds: the first copies nearly all while others write, the second the rest, while no write begins.
 */
export class Checkpointer {
  readonly #parts: CheckpointerParts
  readonly #minPages: number
  /** Pages of the log after which the next first round begins. */
  #due: number
  #stage: 'resting' | 'copying' | 'nearly done' = 'resting'
  #running: Promise<void> | undefined
  #commits = 0
  #thread: Worker | undefined
  #answer: PromiseWithResolvers<LogState> | undefined

  constructor(parts: CheckpointerParts) {
    this.#parts = parts
    this.#minPages = parts.minPages ?? defaultMinPages
    this.#due = this.#minPages
  }

  /** Looks at the log after a commit. What it returns must be waited for before the next write begins. */
  committed(): Promise<void> | undefined {
    if (this.#stage === 'copying') return undefined
    if (this.#stage === 'resting' && ++this.#commits % pollEvery !== 0) return undefined
    const { log, checkpointed } = this.#readLogState()
    if (log < this.#minPages) this.#due = this.#minPages
    if (this.#stage === 'nearly done') {
      this.#stage = 'resting'
      return log < this.#minPages || checkpointed === log ? undefined : this.#begin(() => this.#copyRest())
    }
    if (log >= this.#due) void this.#begin(() => this.#copyMost(log))
    return undefined
  }

  /** Waits for the round that is going on, and ends the thread. */
  async close(): Promise<void> {
    await this.#running
    const thread = this.#thread
    if (!thread) return
    this.#thread = undefined
    const { promise: ended, resolve } = Promise.withResolvers<number>()
    thread.once('exit', resolve)
    thread.ref()
    thread.postMessage('close')
    await ended
  }

  #readLogState(): LogState {
    try {
      return this.#parts.writer.run<LogState>('pragma wal_checkpoint(noop)').rows[0] ?? nothing
    } catch (error) {
      this.#parts.log.error({ error }, 'could not read the size of the database log')
      return nothing
    }
  }

  #begin(round: () => Promise<void>): Promise<void> {
    this.#stage = 'copying'
    this.#running = round()
    return this.#running
  }

  async #copyMost(pages: number): Promise<void> {
    const { log, checkpointed } = await this.#copy()
    // A reader may need what the database file says now, or another process may be copying: it is tried again later.
    const isHindered = checkpointed < pages
    if (isHindered) this.#due = Math.max(pages, log) + this.#minPages
    this.#stage = isHindered ? 'resting' : 'nearly done'
  }

  async #copyRest(): Promise<void> {
    const { log, checkpointed } = await this.#copy()
    // Another process may have written meanwhile; it is outrun sooner or later.
    this.#due = checkpointed < log ? log + this.#minPages / 16 : this.#minPages
    this.#stage = 'resting'
  }

  /** One round in the thread. Where none can be started nothing is copied, and in the end SQLite does it in a commit. */
  async #copy(): Promise<LogState> {
    this.#answer = Promise.withResolvers()
    try {
      this.#thread ??= this.#startThread()
      // Writes may wait for it, and nothing else may keep the process alive meanwhile.
      this.#thread.ref()
      this.#thread.postMessage('checkpoint')
      return await this.#answer.promise
    } catch (error) {
      this.#parts.log.error({ error }, 'background checkpoint of the database failed')
      return { log: this.#due, checkpointed: 0 }
    } finally {
      this.#thread?.unref()
    }
  }

  #startThread(): Worker {
    const thread = startThread(program, {
      workerData: this.#parts.file,
      resourceLimits: { maxYoungGenerationSizeMb: 1 },
    })
    const lost = (reason: unknown): void => {
      if (this.#thread === thread) this.#thread = undefined
      this.#answer?.reject(reason)
    }
    thread.on('message', (state: LogState) => this.#answer?.resolve(state))
    thread.on('error', lost)
    thread.on('exit', (code) => lost(new Error(`The thread ended with code ${code}.`)))
    return thread
  }
}
