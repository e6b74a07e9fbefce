import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import { failure } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import { busyFor, isSqliteBusy, isSqliteConstraint, isSqliteFull, translateSqlite } from '../errors.ts'
import type { SqliteConnection } from './connection.ts'
import { SqliteSession } from './session.ts'

/** How the queue behaves; all times in milliseconds. */
export type QueueLimits = {
  /** Bodies that share one commit. */
  groupSize: number
  /** How long a group gathers before it commits. */
  groupTime: number
  /** How long one body may take: it holds up everybody else. */
  bodyDeadline: number
  /** How long another process may keep the database locked. */
  busyDeadline: number
}

const defaultLimits: QueueLimits = { groupSize: 128, groupTime: 20, bodyDeadline: 5_000, busyDeadline: 10_000 }

/** A body in the queue, with everything typed away. */
type Work = {
  body(session: SqliteSession): Promise<unknown>
  committed(session: SqliteSession): void
  resolve(result: unknown): void
  reject(thrown: unknown): void
  deadline: number
  since: number
  /** Runs in a transaction of its own, because a shared one was lost. */
  alone: boolean
}

/** How a body ended; told to its caller when the group has committed. */
type Ended = { work: Work; session: SqliteSession; outcome: { result: unknown } | { thrown: unknown } }

/** What a caller may ask for its body. */
export type QueueOptions = { committed?: (session: SqliteSession) => void; deadline?: number }

/**
 * Lets durable writes of concurrent callers share one fsync. Bodies run strictly one after another, each inside its own
 * savepoint, and nobody is answered before the commit that holds his work.
 */
export class WriteQueue {
  readonly #connection: SqliteConnection
  readonly #clock: Clock
  readonly #log: Log
  readonly #limits: QueueLimits
  #waiting: Work[] = []
  #draining: Promise<void> | undefined
  #closed = false

  constructor(connection: SqliteConnection, parts: { clock: Clock; log: Log; limits?: Partial<QueueLimits> }) {
    this.#connection = connection
    this.#clock = parts.clock
    this.#log = parts.log
    this.#limits = { ...defaultLimits, ...parts.limits }
  }

  /** Runs the body inside the next group; resolves when its work is durable. */
  run<T>(body: (session: SqliteSession) => Promise<T>, options: QueueOptions = {}): Promise<T> {
    if (this.#closed) return Promise.reject(failure('unavailable', 'storage.closed', 'The store is closed.'))
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        // The body sees the caller's asynchronous context, not that of whoever happened to start the queue.
        body: AsyncLocalStorage.bind(body),
        committed: options.committed ?? (() => undefined),
        resolve: resolve as (result: unknown) => void,
        reject,
        deadline: options.deadline ?? this.#limits.bodyDeadline,
        since: this.#clock.monotonic(),
        alone: false,
      })
      this.#draining ??= this.#drain()
    })
  }

  /** Finishes what is waiting, then refuses more. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#draining
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        // Requests that arrive in the same turn of the event loop join the group.
        await nextTurn()
        if (await this.#begin()) await this.#runGroup()
      }
    } finally {
      this.#draining = undefined
    }
  }

  /** Takes the write lock. False when everybody gave up waiting for another process. */
  async #begin(): Promise<boolean> {
    for (let pause = 1; this.#waiting.length > 0; pause = Math.min(pause * 2, 16)) {
      try {
        this.#connection.run('begin immediate')
        return true
      } catch (thrown) {
        if (!isSqliteBusy(thrown)) this.#refuse(() => true, translateSqlite(thrown))
        const latest = this.#clock.monotonic() - this.#limits.busyDeadline
        this.#refuse((work) => work.since <= latest, busyFor(thrown))
      }
      await sleep(pause)
    }
    return false
  }

  #refuse(isMeant: (work: Work) => boolean, reason: unknown): void {
    const refused = this.#waiting.filter(isMeant)
    this.#waiting = this.#waiting.filter((work) => !isMeant(work))
    for (const work of refused) work.reject(reason)
  }

  async #runGroup(): Promise<void> {
    const ended: Ended[] = []
    const until = this.#clock.monotonic() + this.#limits.groupTime
    for (let work = this.#waiting.shift(); work; work = this.#next(ended, until)) {
      ended.push(await this.#runBody(work))
      if (!this.#connection.isInTransaction) return this.#lost(ended, (ended.at(-1) as Ended).outcome)
    }
    try {
      this.#connection.run('commit')
    } catch (thrown) {
      if (this.#connection.isInTransaction) this.#connection.run('rollback')
      return this.#lost(ended, { thrown })
    }
    for (const { work, session, outcome } of ended) {
      if ('thrown' in outcome) work.reject(translateSqlite(outcome.thrown))
      else {
        work.committed(session)
        work.resolve(outcome.result)
      }
    }
  }

  #next(ended: readonly Ended[], until: number): Work | undefined {
    const isFull = ended.length >= this.#limits.groupSize || this.#clock.monotonic() >= until
    if (isFull || ended[0]?.work.alone || this.#waiting[0]?.alone) return undefined
    return this.#waiting.shift()
  }

  async #runBody(work: Work): Promise<Ended> {
    const session = new SqliteSession(this.#connection)
    try {
      this.#connection.run('savepoint body')
      const result = await withDeadline(work.body(session), work.deadline)
      session.finish()
      this.#connection.run('release body')
      return { work, session, outcome: { result } }
    } catch (thrown) {
      session.abandon()
      this.#undoBody()
      return { work, session, outcome: { thrown } }
    }
  }

  #undoBody(): void {
    if (!this.#connection.isInTransaction) return
    try {
      this.#connection.run('rollback to body')
      this.#connection.run('release body')
    } catch (thrown) {
      this.#log.error({ error: thrown }, 'savepoint could not be rolled back')
      if (this.#connection.isInTransaction) this.#connection.run('rollback')
    }
  }

  /**
   * The transaction is gone with everything in it. When the disk was full or a late constraint failed, one body is to
   * blame and the others try again by themselves; after any other error nothing is known, and nothing is repeated.
   */
  #lost(ended: readonly Ended[], outcome: Ended['outcome']): void {
    const thrown = 'thrown' in outcome ? outcome.thrown : new Error('A body ended the transaction of its group.')
    this.#log.error({ error: thrown, bodies: ended.length }, 'group of writes lost')
    const mayRepeat = isSqliteFull(thrown) || isSqliteConstraint(thrown)
    const again = mayRepeat ? ended.filter(({ work, outcome: own }) => !work.alone && own !== outcome) : []
    for (const one of ended) if (!again.includes(one)) one.work.reject(translateSqlite(thrown))
    this.#waiting.unshift(...again.map(({ work }) => ({ ...work, alone: true })))
  }
}

/** Gives up on a body that waits for something else than its tx. */
async function withDeadline<T>(body: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const text = `A transaction body took longer than ${milliseconds} ms; it may await nothing but its tx.`
      reject(failure('internal', 'storage.body-too-slow', text))
    }, milliseconds)
  })
  try {
    return await Promise.race([body, late])
  } finally {
    clearTimeout(timer)
  }
}
