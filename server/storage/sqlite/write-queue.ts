import { setTimeout as sleep } from 'node:timers/promises'
import type { Awaitable } from '../../kernel/awaitable.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type Failure, failure } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import { databaseBusy, isSqliteBusy, storeClosed, translateSqlite } from '../database-errors.ts'
import type { Checkpointer } from './checkpointer.ts'
import type { SqliteConnection } from './connection.ts'
import type { LogFlusher } from './log-flusher.ts'
import type { SqliteSession } from './session.ts'
import { type Outcome, Watchdog, WorkItem } from './work-item.ts'
import { type GroupParts, type Loss, WriteGroup } from './write-group.ts'

/** How the queue behaves; all times in milliseconds. */
export type QueueLimits = {
  /** Work items that share one commit. */
  groupSize: number
  /** Work items that are worth a commit while an earlier one is being flushed; fewer gather until that is over. */
  overlapSize: number
  /** How long a group gathers before it commits. */
  groupTime: number
  /** How long one item may take until it ends or lets others read: it holds up everybody else. */
  workDeadline: number
  /** How long another process may keep the database locked. */
  busyDeadline: number
}

/** What is usual. */
const defaultLimits: QueueLimits = {
  groupSize: 128,
  overlapSize: 8,
  groupTime: 20,
  workDeadline: 5_000,
  busyDeadline: 10_000,
}

/** Who is notified of a flush. */
type FlushListener = {
  /** This work is on disk. */
  flushed(item: WorkItem): void
  /** These works may not be. */
  failed(items: readonly WorkItem[], cause: unknown): void
  /** There is nothing to flush any more. */
  ended(): void
}

/** Flushes the log for those who have committed: one flush at a time, each for all who committed before it began. */
class FlushQueue {
  readonly #flusher: LogFlusher
  readonly #listener: FlushListener
  #waiting: WorkItem[] = []
  #isBusy = false

  constructor(flusher: LogFlusher, listener: FlushListener) {
    this.#flusher = flusher
    this.#listener = listener
  }

  /** True while a flush is going on. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Takes works that are committed. */
  add(items: readonly WorkItem[]): void {
    this.#waiting.push(...items)
    if (!this.#isBusy) void this.#run()
  }

  async close(): Promise<void> {
    await this.#flusher.close()
  }

  async #run(): Promise<void> {
    this.#isBusy = true
    while (this.#waiting.length > 0) {
      const items = this.#waiting
      this.#waiting = []
      const problem = await this.#flush()
      if (problem) this.#listener.failed([...items, ...this.#waiting.splice(0)], problem.cause)
      else for (const item of items) this.#listener.flushed(item)
    }
    this.#isBusy = false
    this.#listener.ended()
  }

  /** Returns why the disk did not accept the log; nothing else may count as that. */
  async #flush(): Promise<{ readonly cause: unknown } | undefined> {
    try {
      await this.#flusher.flush()
      return undefined
    } catch (cause) {
      return { cause }
    }
  }
}

/** The work items that wait for a group. */
class WaitingItems {
  #items: WorkItem[] = []

  get count(): number {
    return this.#items.length
  }

  /** Retries go first, in their original order: one may depend on another's work. */
  add(item: WorkItem): void {
    const place = item.terms.alone ? this.#items.findIndex((other) => !other.terms.alone) : -1
    if (place >= 0) this.#items.splice(place, 0, item)
    else this.#items.push(item)
  }

  /** Takes the item that begins a group. */
  takeFirst(): WorkItem | undefined {
    return this.#items.shift()
  }

  /** Takes an item that may share a transaction; undefined if the next one may not. */
  takeToShare(): WorkItem | undefined {
    return this.#items[0]?.terms.alone ? undefined : this.#items.shift()
  }

  /** Ends the waiting of those who are meant. */
  refuse(isMeant: (item: WorkItem) => boolean, reason: unknown): void {
    const refused = this.#items.filter(isMeant)
    this.#items = this.#items.filter((item) => !isMeant(item))
    for (const item of refused) item.reject(reason)
  }
}

/** What a queue works with; without a flusher, commits need not survive a power cut. */
type QueueParts = Omit<GroupParts, 'connection'> & {
  clock: Clock
  flusher?: LogFlusher | undefined
  checkpointer?: Checkpointer | undefined
  limits?: Partial<QueueLimits>
}

/** What a caller may say about its body. */
type WriteOptions = { deadline?: number; single?: boolean }

type Work<T> = (session: SqliteSession) => Awaitable<T>

/** Tells a caller to submit its work once more, in a transaction of its own. */
const sharedTransactionLost = new Error('The shared transaction was lost through another work item.')

/** How many groups use savepoints after an item without one has spoiled its group. */
const groupsWithSavepoints = 64

/**
 * Lets durable writes of concurrent callers share one fsync. Work items run strictly one after another, and nobody is answered
 * before the commit that holds its work. A savepoint for each item would cost as much as a statement or two, and hardly
 * any item fails once it has written. So they have none until one does: then its group is given up, all in it try again
 * by themselves, and for a while there are savepoints.
 *
 * The queue decides who runs when, and who is answered how; what happens inside a transaction is the group's business.
 */
export class WriteQueue {
  readonly #connection: SqliteConnection
  readonly #clock: Clock
  readonly #log: Log
  readonly #limits: QueueLimits
  readonly #watchdog: Watchdog
  readonly #flushes: FlushQueue | undefined
  readonly #checkpointer: Checkpointer | undefined
  readonly #groupParts: GroupParts
  readonly #waiting = new WaitingItems()
  #group: WriteGroup | undefined
  /** When the group takes no more items. */
  #groupEndsAt = 0
  #groupsWithSavepointsLeft = 0
  #isBusy = false
  /** Items that lost their shared transaction and have not been submitted again yet. */
  #repeating = 0
  #closing: PromiseWithResolvers<void> | undefined
  #broken: Failure | undefined

  constructor(connection: SqliteConnection, parts: QueueParts) {
    this.#connection = connection
    this.#flushes =
      parts.flusher &&
      new FlushQueue(parts.flusher, {
        flushed: (item) => this.#answer(item),
        failed: (items, cause) => this.#break(items, cause),
        ended: () => this.#wake(),
      })
    this.#checkpointer = parts.checkpointer
    this.#clock = parts.clock
    this.#log = parts.log
    const onTurn = (item: WorkItem): void => {
      if (this.#group?.isAtWork(item)) this.#watchdog.watch(item, this.#clock.monotonic())
    }
    this.#groupParts = { connection, log: parts.log, onWritten: parts.onWritten, onTurn }
    this.#limits = { ...defaultLimits, ...parts.limits }
    this.#watchdog = new Watchdog(parts.clock, (item, thrown) => this.#onItemEnded(item, { thrown }))
  }

  /** Why nothing is written any more, if that is so. */
  get broken(): Failure | undefined {
    return this.#broken
  }

  /** How many items wait for their turn. */
  get length(): number {
    return this.#waiting.count
  }

  /** Does the work inside the next group; resolves when it is durable. */
  run<T>(work: Work<T>, options: WriteOptions = {}): Promise<T> {
    if (this.#closing) return Promise.reject(storeClosed())
    if (this.#broken) return Promise.reject(this.#broken)
    return this.#submit(work, options).catch((thrown) => {
      if (thrown !== sharedTransactionLost) throw thrown
      this.#repeating -= 1
      return this.#submit(work, { ...options, alone: true })
    })
  }

  /** Finishes what is waiting, then refuses more. */
  async close(): Promise<void> {
    this.#closing ??= Promise.withResolvers()
    this.#wake()
    await this.#closing.promise
    await this.#flushes?.close()
    await this.#checkpointer?.close()
  }

  #submit<T>(work: Work<T>, options: WriteOptions & { alone?: boolean }): Promise<T> {
    const { deadline = this.#limits.workDeadline, single = false, alone = false } = options
    const item = new WorkItem({ since: this.#clock.monotonic(), deadline, single, alone })
    void item.perform(work, (outcome) => this.#onItemEnded(item, outcome))
    this.#waiting.add(item)
    this.#wake()
    return item.answer as Promise<T>
  }

  /**
   * Begins a group in the next turn of the event loop: requests that arrive until then join it. While the disk is busy a few
   * wait for it, so the slower it is, the more callers share a flush; many are worth a commit of their own meanwhile.
   */
  #wake(): void {
    if (this.#isBusy) return
    if (this.#waiting.count === 0 && this.#repeating === 0 && !this.#flushes?.isBusy) this.#closing?.resolve()
    if (this.#waiting.count < (this.#flushes?.isBusy ? this.#limits.overlapSize : 1)) return
    this.#isBusy = true
    setImmediate(() => void this.#beginGroup())
  }

  async #beginGroup(): Promise<void> {
    const hasBegun = await this.#begin()
    const first = hasBegun ? this.#waiting.takeFirst() : undefined
    if (!first) {
      this.#becomeIdle()
      return
    }
    const withSavepoints = this.#groupsWithSavepointsLeft > 0
    if (withSavepoints) this.#groupsWithSavepointsLeft -= 1
    this.#group = new WriteGroup(this.#groupParts, withSavepoints)
    this.#groupEndsAt = this.#clock.monotonic() + this.#limits.groupTime
    this.#giveTurn(this.#group, first)
  }

  #becomeIdle(): void {
    this.#isBusy = false
    this.#wake()
  }

  /** Takes the write lock. False when everybody gave up waiting for another process. */
  async #begin(): Promise<boolean> {
    for (let pause = 1; this.#waiting.count > 0; pause = Math.min(pause * 2, 16)) {
      try {
        this.#connection.control('begin immediate')
        return true
      } catch (thrown) {
        if (!isSqliteBusy(thrown)) this.#waiting.refuse(() => true, translateSqlite(thrown))
        const latest = this.#clock.monotonic() - this.#limits.busyDeadline
        this.#waiting.refuse((item) => item.terms.since <= latest, databaseBusy(thrown))
      }
      await sleep(pause)
    }
    return false
  }

  #giveTurn(group: WriteGroup, item: WorkItem): void {
    this.#watchdog.watch(item, this.#clock.monotonic())
    try {
      group.giveTurn(item)
    } catch (thrown) {
      this.#onItemEnded(item, { thrown })
    }
  }

  /** An item has ended, or was ended by the watchdog; what it does after that is ignored. */
  #onItemEnded(item: WorkItem, outcome: Outcome): void {
    const group = this.#group
    if (!group?.isAtWork(item)) return
    group.endTurn(item, outcome)
    const next = group.isOpen ? this.#nextFor(group) : undefined
    if (next) this.#giveTurn(group, next)
    else this.#endGroup(group)
  }

  #nextFor({ items }: WriteGroup): WorkItem | undefined {
    const isFull = items.length >= this.#limits.groupSize || this.#clock.monotonic() >= this.#groupEndsAt
    return isFull || items[0]?.terms.alone ? undefined : this.#waiting.takeToShare()
  }

  #endGroup(group: WriteGroup): void {
    this.#watchdog.stop()
    this.#group = undefined
    const loss = group.commit()
    if (loss) this.#tellLoss(loss)
    else this.#answerWhenDurable(group.items)
    if (group.isGivenUp) this.#groupsWithSavepointsLeft = groupsWithSavepoints
    const pause = this.#checkpointer?.committed()
    if (pause) void pause.then(() => this.#becomeIdle())
    else this.#becomeIdle()
  }

  #tellLoss({ reason, repeated, refused }: Loss): void {
    for (const item of refused) item.reject(translateSqlite(reason))
    for (const item of repeated) {
      this.#repeating += 1
      item.reject(sharedTransactionLost)
    }
  }

  #answerWhenDurable(items: readonly WorkItem[]): void {
    if (this.#broken) for (const item of items) item.reject(this.#broken)
    else if (this.#flushes) this.#flushes.add(items)
    else for (const item of items) this.#answer(item)
  }

  #answer(item: WorkItem): void {
    if (item.outcome && 'result' in item.outcome) {
      item.session?.committed()
      item.resolve(item.outcome.result)
    } else item.reject(translateSqlite(item.outcome?.thrown))
  }

  /** After a failed flush the system may have forgotten what was to be written, and a second try would say nothing. */
  #break(items: readonly WorkItem[], cause: unknown): void {
    const text = 'A write to the disk failed. The server accepts no more writes until it is restarted.'
    const broken = failure('unavailable', 'storage.not-durable', text, { cause })
    this.#broken = broken
    this.#log.error({ error: cause }, 'database log could not be flushed; no more writes')
    for (const item of items) item.reject(broken)
    this.#waiting.refuse(() => true, broken)
  }
}
