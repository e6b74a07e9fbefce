import type { Log } from '../../kernel/log.ts'
import { isSqliteConstraint, isSqliteFull } from '../database-errors.ts'
import type { SqliteConnection } from './connection.ts'
import { SqliteSession } from './session.ts'
import type { Outcome, WorkItem } from './work-item.ts'

/** What a group works with. */
export type GroupParts = {
  connection: SqliteConnection
  log: Log
  /** Called in the moment in which the group can be read by others. */
  onWritten?: (() => void) | undefined
  /** Called when an item goes on after it has let others read. */
  onTurn?: ((item: WorkItem) => void) | undefined
}

/** What becomes of items whose group was rolled back: some try again by themselves, the others get the reason. */
export type Loss = { reason: unknown; repeated: readonly WorkItem[]; refused: readonly WorkItem[] }

/**
 * The work items that share a transaction, in the order of their turns; the last of them is at work. The transaction has
 * begun already. In a group with savepoints each item has one, so that one that fails rolls back its own work alone.
 */
export class WriteGroup {
  readonly items: WorkItem[] = []
  readonly #connection: SqliteConnection
  readonly #log: Log
  readonly #onWritten: (() => void) | undefined
  readonly #onTurn: ((item: WorkItem) => void) | undefined
  readonly #withSavepoints: boolean
  #isGivenUp = false

  constructor({ connection, log, onWritten, onTurn }: GroupParts, withSavepoints: boolean) {
    this.#connection = connection
    this.#log = log
    this.#onWritten = onWritten
    this.#onTurn = onTurn
    this.#withSavepoints = withSavepoints
  }

  /** True if it was rolled back because an item failed that had written something and had no savepoint. */
  get isGivenUp(): boolean {
    return this.#isGivenUp
  }

  /** True as long as the transaction lasts: an item may end it, for example by an error that rolls back everything. */
  get isOpen(): boolean {
    return this.#connection.isInTransaction
  }

  /** True from the turn of an item until its end. */
  isAtWork(item: WorkItem): boolean {
    return this.items.at(-1) === item && !item.outcome
  }

  /** Lets an item run; if this throws, the item has ended with what was thrown. */
  giveTurn(item: WorkItem): void {
    this.items.push(item)
    if (this.#withSavepoints && !item.terms.single) {
      this.#connection.control('savepoint item')
      item.hasSavepoint = true
    }
    item.giveTurn(new SqliteSession(this.#connection, () => this.#onTurn?.(item)))
  }

  /** Notes how an item has ended, and takes back what it has written if it failed. */
  endTurn(item: WorkItem, outcome: Outcome): void {
    item.outcome = this.#closeItem(item, outcome)
  }

  /** Ends the transaction; undefined if everything was committed. */
  commit(): Loss | undefined {
    if (this.#isGivenUp) return lossByFailure(this.items)
    const reason = this.#commit()
    return reason && this.#lossOfTransaction(reason)
  }

  #closeItem(item: WorkItem, outcome: Outcome): Outcome {
    try {
      item.session?.finish('thrown' in outcome)
      if ('thrown' in outcome) this.#undoItem(item)
      else if (item.hasSavepoint) this.#connection.control('release item')
      return outcome
    } catch (thrown) {
      this.#undoItem(item)
      return { thrown }
    }
  }

  /** Takes back what an item has written, with its whole group where it has no savepoint. */
  #undoItem(item: WorkItem): void {
    if (!this.#connection.isInTransaction) return
    if (!item.hasSavepoint) {
      if (item.session?.hasWritten) this.#giveUp()
      return
    }
    try {
      this.#connection.control('rollback to item')
      this.#connection.control('release item')
    } catch (thrown) {
      this.#log.error({ error: thrown }, 'savepoint could not be rolled back')
      if (this.#connection.isInTransaction) this.#connection.control('rollback')
    }
  }

  #giveUp(): void {
    this.#isGivenUp = true
    this.#connection.control('rollback')
  }

  /** Commits; returns what went wrong, which is the last item's outcome when it has ended the transaction. */
  #commit(): Outcome | undefined {
    if (!this.#connection.isInTransaction) return this.items.at(-1)?.outcome
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

  /**
   * When the disk was full or a late constraint failed, one item is to blame and the others try again; after any other
   * error nothing is known, and nothing is repeated.
   */
  #lossOfTransaction(cause: Outcome): Loss {
    const reason = 'thrown' in cause ? cause.thrown : new Error('A work item ended the transaction of its group.')
    this.#log.error({ error: reason, transactions: this.items.length }, 'a group of writes was rolled back')
    const mayRepeat = isSqliteFull(reason) || isSqliteConstraint(reason)
    const isRepeated = (item: WorkItem): boolean => mayRepeat && !item.terms.alone && item.outcome !== cause
    return {
      reason,
      repeated: this.items.filter(isRepeated),
      refused: this.items.filter((item) => !isRepeated(item)),
    }
  }
}

/** The item that failed tries again, too: the reason may be what another had written. Alone it gets its own reason. */
function lossByFailure(items: readonly WorkItem[]): Loss {
  const outcome = items.length === 1 ? items[0]?.outcome : undefined
  if (outcome && 'thrown' in outcome) return { reason: outcome.thrown, repeated: [], refused: items }
  return { reason: undefined, repeated: items, refused: [] }
}
