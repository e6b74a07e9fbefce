import { setTimeout as sleep } from 'node:timers/promises'
import type { Awaitable } from '../../kernel/awaitable.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type Failure, failure } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import { databaseBusy, isSqliteBusy, translateSqlite } from '../errors.ts'
import type { Checkpointer } from './checkpointer.ts'
import type { SqliteConnection } from './connection.ts'
import type { LogFlusher } from './log-flusher.ts'
import type { SqliteSession } from './session.ts'
import { type Outcome, Watchdog, Work } from './work.ts'
import { type GroupParts, type Loss, WriteGroup } from './write-group.ts'

/** How the queue behaves; all times in milliseconds. */
export type QueueLimits = {
  /** Bodies that share one commit. */
  groupSize: number
  /** Bodies that are worth a commit while an earlier one is being flushed; fewer gather until that is over. */
  overlapSize: number
  /** How long a group gathers before it commits. */
  groupTime: number
  /** How long one body may take: it holds up everybody else. */
  bodyDeadline: number
  /** How long another process may keep the database locked. */
  busyDeadline: number
}

/** What is usual. */
const defaultLimits: QueueLimits = {
  groupSize: 128,
  overlapSize: 8,
  groupTime: 20,
  bodyDeadline: 5_000,
  busyDeadline: 10_000,
}

/** Who is notified of a flush. */
type FlushListener = {
  /** This work is on disk. */
  flushed(work: Work): void
  /** These works may not be. */
  failed(works: readonly Work[], cause: unknown): void
  /** There is nothing to flush any more. */
  ended(): void
}

/** Flushes the log for those who have committed: one flush at a time, each for all who committed before it began. */
class FlushQueue {
  readonly #flusher: LogFlusher
  readonly #listener: FlushListener
  #waiting: Work[] = []
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
  add(works: readonly Work[]): void {
    this.#waiting.push(...works)
    if (!this.#isBusy) void this.#run()
  }

  async close(): Promise<void> {
    await this.#flusher.close()
  }

  async #run(): Promise<void> {
    this.#isBusy = true
    while (this.#waiting.length > 0) {
      const works = this.#waiting
      this.#waiting = []
      const problem = await this.#flush()
      if (problem) this.#listener.failed([...works, ...this.#waiting.splice(0)], problem.cause)
      else for (const work of works) this.#listener.flushed(work)
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

/** The bodies that wait for a group. */
class WaitingWorks {
  #works: Work[] = []

  get count(): number {
    return this.#works.length
  }

  /** Retries go first, in their original order: one may depend on another's work. */
  add(work: Work): void {
    const place = work.terms.alone ? this.#works.findIndex((other) => !other.terms.alone) : -1
    if (place >= 0) this.#works.splice(place, 0, work)
    else this.#works.push(work)
  }

  /** Takes the body that begins a group. */
  takeFirst(): Work | undefined {
    return this.#works.shift()
  }

  /** Takes a body that may share a transaction; undefined if the next one may not. */
  takeToShare(): Work | undefined {
    return this.#works[0]?.terms.alone ? undefined : this.#works.shift()
  }

  /** Ends the waiting of those who are meant. */
  refuse(isMeant: (work: Work) => boolean, reason: unknown): void {
    const refused = this.#works.filter(isMeant)
    this.#works = this.#works.filter((work) => !isMeant(work))
    for (const work of refused) work.reject(reason)
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

type Body<T> = (session: SqliteSession) => Awaitable<T>

/** Tells a caller to submit its body once more, in a transaction of its own. */
const sharedTransactionLost = new Error('The shared transaction was lost through another body.')

/** How many groups use savepoints after a body without one has spoiled its group. */
const groupsWithSavepoints = 64

/**
 * Lets durable writes of concurrent callers share one fsync. Bodies run strictly one after another, and nobody is answered
 * before the commit that holds its work. A savepoint for each body would cost as much as a statement or two, and hardly
 * any body fails once it has written. So they have none until one does: then its group is given up, all in it try again
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
  readonly #waiting = new WaitingWorks()
  #group: WriteGroup | undefined
  /** When the group takes no more bodies. */
  #groupEndsAt = 0
  #groupsWithSavepointsLeft = 0
  #isBusy = false
  /** Bodies that lost their shared transaction and have not been submitted again yet. */
  #repeating = 0
  #closing: PromiseWithResolvers<void> | undefined
  #broken: Failure | undefined

  constructor(connection: SqliteConnection, parts: QueueParts) {
    this.#connection = connection
    this.#flushes =
      parts.flusher &&
      new FlushQueue(parts.flusher, {
        flushed: (work) => this.#answer(work),
        failed: (works, cause) => this.#break(works, cause),
        ended: () => this.#wake(),
      })
    this.#checkpointer = parts.checkpointer
    this.#clock = parts.clock
    this.#log = parts.log
    this.#groupParts = { connection, log: parts.log, onWritten: parts.onWritten }
    this.#limits = { ...defaultLimits, ...parts.limits }
    this.#watchdog = new Watchdog(parts.clock, (work, thrown) => this.#onBodyEnded(work, { thrown }))
  }

  /** Why nothing is written any more, if that is so. */
  get broken(): Failure | undefined {
    return this.#broken
  }

  /** How many bodies wait for their turn. */
  get length(): number {
    return this.#waiting.count
  }

  /** Runs the body inside the next group; resolves when its work is durable. */
  run<T>(body: Body<T>, options: WriteOptions = {}): Promise<T> {
    if (this.#closing) return Promise.reject(failure('unavailable', 'storage.closed', 'The store is closed.'))
    if (this.#broken) return Promise.reject(this.#broken)
    return this.#submit(body, options).catch((thrown) => {
      if (thrown !== sharedTransactionLost) throw thrown
      this.#repeating -= 1
      return this.#submit(body, { ...options, alone: true })
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

  #submit<T>(body: Body<T>, options: WriteOptions & { alone?: boolean }): Promise<T> {
    const { deadline = this.#limits.bodyDeadline, single = false, alone = false } = options
    const work = new Work({ since: this.#clock.monotonic(), deadline, single, alone })
    void work.perform(body, (outcome) => this.#onBodyEnded(work, outcome))
    this.#waiting.add(work)
    this.#wake()
    return work.answer as Promise<T>
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
        this.#waiting.refuse((work) => work.terms.since <= latest, databaseBusy(thrown))
      }
      await sleep(pause)
    }
    return false
  }

  #giveTurn(group: WriteGroup, work: Work): void {
    this.#watchdog.watch(work, this.#clock.monotonic())
    try {
      group.giveTurn(work)
    } catch (thrown) {
      this.#onBodyEnded(work, { thrown })
    }
  }

  /** A body has ended, or was ended by the watchdog; what it does after that is ignored. */
  #onBodyEnded(work: Work, outcome: Outcome): void {
    const group = this.#group
    if (!group?.isAtWork(work)) return
    group.endTurn(work, outcome)
    const next = group.isOpen ? this.#nextFor(group) : undefined
    if (next) this.#giveTurn(group, next)
    else this.#endGroup(group)
  }

  #nextFor({ works }: WriteGroup): Work | undefined {
    const isFull = works.length >= this.#limits.groupSize || this.#clock.monotonic() >= this.#groupEndsAt
    return isFull || works[0]?.terms.alone ? undefined : this.#waiting.takeToShare()
  }

  #endGroup(group: WriteGroup): void {
    this.#watchdog.stop()
    this.#group = undefined
    const loss = group.commit()
    if (loss) this.#tellLoss(loss)
    else this.#answerWhenDurable(group.works)
    if (group.isGivenUp) this.#groupsWithSavepointsLeft = groupsWithSavepoints
    const pause = this.#checkpointer?.committed()
    if (pause) void pause.then(() => this.#becomeIdle())
    else this.#becomeIdle()
  }

  #tellLoss({ reason, repeated, refused }: Loss): void {
    for (const work of refused) work.reject(translateSqlite(reason))
    for (const work of repeated) {
      this.#repeating += 1
      work.reject(sharedTransactionLost)
    }
  }

  #answerWhenDurable(works: readonly Work[]): void {
    if (this.#broken) for (const work of works) work.reject(this.#broken)
    else if (this.#flushes) this.#flushes.add(works)
    else for (const work of works) this.#answer(work)
  }

  #answer(work: Work): void {
    if (work.outcome && 'result' in work.outcome) {
      work.session?.committed()
      work.resolve(work.outcome.result)
    } else work.reject(translateSqlite(work.outcome?.thrown))
  }

  /** After a failed flush the system may have forgotten what was to be written, and a second try would say nothing. */
  #break(works: readonly Work[], cause: unknown): void {
    const text = 'A write to the disk failed. The server accepts no more writes until it is restarted.'
    const broken = failure('unavailable', 'storage.not-durable', text, { cause })
    this.#broken = broken
    this.#log.error({ error: cause }, 'database log could not be flushed; no more writes')
    for (const work of works) work.reject(broken)
    this.#waiting.refuse(() => true, broken)
  }
}
