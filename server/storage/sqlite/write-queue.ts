import { setTimeout as sleep } from 'node:timers/promises'
import type { Awaitable } from '../../kernel/awaitable.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type Failure, failure } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import { databaseBusy, isSqliteBusy, isSqliteConstraint, isSqliteFull, translateSqlite } from '../errors.ts'
import type { Checkpointer } from './checkpointer.ts'
import type { SqliteConnection } from './connection.ts'
import { FlushQueue } from './flush-queue.ts'
import type { LogFlusher } from './log-flusher.ts'
import { defaultLimits, type QueueLimits } from './queue-limits.ts'
import { SqliteSession } from './session.ts'
import { type Outcome, Watchdog, Work } from './work.ts'

/** What a queue works with; without a flusher, commits need not survive a power cut. */
export type QueueParts = {
  clock: Clock
  log: Log
  flusher?: LogFlusher | undefined
  checkpointer?: Checkpointer | undefined
  limits?: Partial<QueueLimits>
  /** Called in the moment in which a group can be read by others. */
  onWritten?: () => void
}

/** What a caller may say about its body. */
export type WriteOptions = { deadline?: number; single?: boolean }

type Body<T> = (session: SqliteSession) => Awaitable<T>

/** The bodies that share a transaction; the last of them is at work. */
type Group = { works: Work[]; until: number; isCareful: boolean; isGivenUp: boolean }

/** Tells a caller to submit its body once more, in a transaction of its own. */
const sharedTransactionLost = new Error('The shared transaction was lost through another body.')

/** How many groups use savepoints after a body without one has spoiled its group. */
const carefulGroups = 64

/**
 * Lets durable writes of concurrent callers share one fsync. Bodies run strictly one after another, and nobody is answered
 * before the commit that holds its work. A savepoint for each body would cost as much as a statement or two, and hardly
 * any body fails once it has written. So they have none until one does: then its group is given up, all in it try again
 * by themselves, and for a while there are savepoints.
 */
export class WriteQueue {
  readonly #connection: SqliteConnection
  readonly #clock: Clock
  readonly #log: Log
  readonly #limits: QueueLimits
  readonly #watchdog: Watchdog
  #waiting: Work[] = []
  #group: Group | undefined
  /** How many of the next groups use savepoints, so that a body that fails rolls back its own work alone. */
  #carefulGroupsLeft = 0
  #isBusy = false
  /** Bodies that lost their shared transaction and have not been submitted again yet. */
  #repeating = 0
  #closing: PromiseWithResolvers<void> | undefined
  readonly #flushes: FlushQueue | undefined
  readonly #checkpointer: Checkpointer | undefined
  readonly #onWritten: (() => void) | undefined
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
    this.#onWritten = parts.onWritten
    this.#clock = parts.clock
    this.#log = parts.log
    this.#limits = { ...defaultLimits, ...parts.limits }
    this.#watchdog = new Watchdog(parts.clock, (work, thrown) => this.#onBodyEnded(work, { thrown }))
  }

  /** Why nothing is written any more, if that is so. */
  get broken(): Failure | undefined {
    return this.#broken
  }

  /** How many bodies wait for their turn. */
  get length(): number {
    return this.#waiting.length
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
    // Retries go first, in their original order: one may depend on another's work.
    const place = alone ? this.#waiting.findIndex((other) => !other.terms.alone) : -1
    if (place >= 0) this.#waiting.splice(place, 0, work)
    else this.#waiting.push(work)
    this.#wake()
    return work.answer as Promise<T>
  }

  /**
   * Begins a group in the next turn of the event loop: requests that arrive until then join it. While the disk is busy a few
   * wait for it, so the slower it is, the more callers share a flush; many are worth a commit of their own meanwhile.
   */
  #wake(): void {
    if (this.#isBusy) return
    if (this.#waiting.length === 0 && this.#repeating === 0 && !this.#flushes?.isBusy) this.#closing?.resolve()
    if (this.#waiting.length < (this.#flushes?.isBusy ? this.#limits.overlapSize : 1)) return
    this.#isBusy = true
    setImmediate(() => void this.#beginGroup())
  }

  async #beginGroup(): Promise<void> {
    const hasBegun = await this.#begin()
    const first = hasBegun ? this.#waiting.shift() : undefined
    if (!first) {
      this.#becomeIdle()
      return
    }
    const isCareful = this.#carefulGroupsLeft > 0
    if (isCareful) this.#carefulGroupsLeft -= 1
    this.#group = { works: [], until: this.#clock.monotonic() + this.#limits.groupTime, isCareful, isGivenUp: false }
    this.#giveTurn(this.#group, first)
  }

  #becomeIdle(): void {
    this.#isBusy = false
    this.#wake()
  }

  /** Takes the write lock. False when everybody gave up waiting for another process. */
  async #begin(): Promise<boolean> {
    for (let pause = 1; this.#waiting.length > 0; pause = Math.min(pause * 2, 16)) {
      try {
        this.#connection.control('begin immediate')
        return true
      } catch (thrown) {
        if (!isSqliteBusy(thrown)) this.#refuse(() => true, translateSqlite(thrown))
        const latest = this.#clock.monotonic() - this.#limits.busyDeadline
        this.#refuse((work) => work.terms.since <= latest, databaseBusy(thrown))
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

  #giveTurn(group: Group, work: Work): void {
    group.works.push(work)
    this.#watchdog.watch(work, this.#clock.monotonic())
    try {
      if (group.isCareful && !work.terms.single) {
        this.#connection.control('savepoint body')
        work.hasSavepoint = true
      }
      work.giveTurn(new SqliteSession(this.#connection))
    } catch (thrown) {
      this.#onBodyEnded(work, { thrown })
    }
  }

  /** A body has ended, or was ended by the watchdog; what it does after that is ignored. */
  #onBodyEnded(work: Work, outcome: Outcome): void {
    const group = this.#group
    if (!group || group.works.at(-1) !== work || work.outcome) return
    work.outcome = this.#closeBody(group, work, outcome)
    const next = this.#connection.isInTransaction ? this.#next(group) : undefined
    if (next) this.#giveTurn(group, next)
    else this.#endGroup(group)
  }

  #next({ works, until }: Group): Work | undefined {
    const isFull = works.length >= this.#limits.groupSize || this.#clock.monotonic() >= until
    if (isFull || works[0]?.terms.alone || this.#waiting[0]?.terms.alone) return undefined
    return this.#waiting.shift()
  }

  #closeBody(group: Group, work: Work, outcome: Outcome): Outcome {
    try {
      work.session?.finish('thrown' in outcome)
      if ('thrown' in outcome) this.#undoBody(group, work)
      else if (work.hasSavepoint) this.#connection.control('release body')
      return outcome
    } catch (thrown) {
      this.#undoBody(group, work)
      return { thrown }
    }
  }

  /** Takes back what a body has written, with its whole group where it has no savepoint. */
  #undoBody(group: Group, work: Work): void {
    if (!this.#connection.isInTransaction) return
    if (!work.hasSavepoint) {
      if (work.session?.hasWritten) this.#giveUp(group)
      return
    }
    try {
      this.#connection.control('rollback to body')
      this.#connection.control('release body')
    } catch (thrown) {
      this.#log.error({ error: thrown }, 'savepoint could not be rolled back')
      if (this.#connection.isInTransaction) this.#connection.control('rollback')
    }
  }

  #giveUp(group: Group): void {
    group.isGivenUp = true
    this.#carefulGroupsLeft = carefulGroups
    this.#connection.control('rollback')
  }

  #endGroup({ works, isGivenUp }: Group): void {
    this.#watchdog.stop()
    this.#group = undefined
    if (isGivenUp) this.#repeat(works)
    else this.#commitGroup(works)
    const pause = this.#checkpointer?.committed()
    if (pause) void pause.then(() => this.#becomeIdle())
    else this.#becomeIdle()
  }

  /** Commits, and answers those in the group once their work is durable. */
  #commitGroup(works: readonly Work[]): void {
    const loss = this.#commit(works)
    if (loss) this.#failGroup(works, loss)
    else if (this.#broken) for (const work of works) work.reject(this.#broken)
    else if (this.#flushes) this.#flushes.add(works)
    else for (const work of works) this.#answer(work)
  }

  /** After a failed flush the system may have forgotten what was to be written, and a second try would say nothing. */
  #break(works: readonly Work[], cause: unknown): void {
    const text = 'The disk did not accept what was written. Nothing more is written until the server is restarted.'
    const broken = failure('unavailable', 'storage.not-durable', text, { cause })
    this.#broken = broken
    this.#log.error({ error: cause }, 'database log could not be flushed; no more writes')
    for (const work of works) work.reject(broken)
    this.#refuse(() => true, broken)
  }

  #answer(work: Work): void {
    if (work.outcome && 'result' in work.outcome) {
      work.session?.committed()
      work.resolve(work.outcome.result)
    } else work.reject(translateSqlite(work.outcome?.thrown))
  }

  /** Commits; returns what went wrong, which is the last body's outcome when it has ended the transaction. */
  #commit(works: readonly Work[]): Outcome | undefined {
    if (!this.#connection.isInTransaction) return works.at(-1)?.outcome
    try {
      this.#connection.control('commit')
      return undefined
    } catch (thrown) {
      if (this.#connection.isInTransaction) this.#connection.control('rollback')
      return { thrown }
    } finally {
      this.#onWritten?.()
    }
  }

  /** The body that failed tries again, too: the reason may be what another had written, which is gone by now. */
  #repeat(works: readonly Work[]): void {
    if (works.length === 1) for (const work of works) this.#answer(work)
    else for (const work of works) this.#tryAgain(work)
  }

  #tryAgain(work: Work): void {
    this.#repeating += 1
    work.reject(sharedTransactionLost)
  }

  /**
   * The transaction is gone with everything in it. When the disk was full or a late constraint failed, one body is to
   * blame and the others try again by themselves; after any other error nothing is known, and nothing is repeated.
   */
  #failGroup(works: readonly Work[], reason: Outcome): void {
    const thrown = 'thrown' in reason ? reason.thrown : new Error('A body ended the transaction of its group.')
    this.#log.error({ error: thrown, bodies: works.length }, 'a group of writes was rolled back')
    const mayRepeat = isSqliteFull(thrown) || isSqliteConstraint(thrown)
    for (const work of works) {
      const isToBlame = work.terms.alone || work.outcome === reason
      if (mayRepeat && !isToBlame) this.#tryAgain(work)
      else work.reject(translateSqlite(thrown))
    }
  }
}
