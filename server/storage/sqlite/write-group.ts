import type { Log } from '../../kernel/log.ts'
import { isSqliteConstraint, isSqliteFull } from '../errors.ts'
import type { SqliteConnection } from './connection.ts'
import { SqliteSession } from './session.ts'
import type { Outcome, Work } from './work.ts'

/** What a group works with. */
export type GroupParts = {
  connection: SqliteConnection
  log: Log
  /** Called in the moment in which the group can be read by others. */
  onWritten?: (() => void) | undefined
}

/** What becomes of bodies whose group was rolled back: some try again by themselves, the others get the reason. */
export type Loss = { reason: unknown; repeated: readonly Work[]; refused: readonly Work[] }

/**
 * The bodies that share a transaction, in the order of their turns; the last of them is at work. The transaction has
 * begun already. In a group with savepoints each body has one, so that one that fails rolls back its own work alone.
 */
export class WriteGroup {
  readonly works: Work[] = []
  readonly #connection: SqliteConnection
  readonly #log: Log
  readonly #onWritten: (() => void) | undefined
  readonly #withSavepoints: boolean
  #isGivenUp = false

  constructor({ connection, log, onWritten }: GroupParts, withSavepoints: boolean) {
    this.#connection = connection
    this.#log = log
    this.#onWritten = onWritten
    this.#withSavepoints = withSavepoints
  }

  /** True if it was rolled back because a body failed that had written something and had no savepoint. */
  get isGivenUp(): boolean {
    return this.#isGivenUp
  }

  /** True as long as the transaction lasts: a body may end it, for example by an error that rolls back everything. */
  get isOpen(): boolean {
    return this.#connection.isInTransaction
  }

  /** True from the turn of a body until its end. */
  isAtWork(work: Work): boolean {
    return this.works.at(-1) === work && !work.outcome
  }

  /** Lets a body run; if this throws, the body has ended with what was thrown. */
  giveTurn(work: Work): void {
    this.works.push(work)
    if (this.#withSavepoints && !work.terms.single) {
      this.#connection.control('savepoint body')
      work.hasSavepoint = true
    }
    work.giveTurn(new SqliteSession(this.#connection))
  }

  /** Notes how a body has ended, and takes back what it has written if it failed. */
  endTurn(work: Work, outcome: Outcome): void {
    work.outcome = this.#closeBody(work, outcome)
  }

  /** Ends the transaction; undefined if everything was committed. */
  commit(): Loss | undefined {
    if (this.#isGivenUp) return lossByFailure(this.works)
    const reason = this.#commit()
    return reason && this.#lossOfTransaction(reason)
  }

  #closeBody(work: Work, outcome: Outcome): Outcome {
    try {
      work.session?.finish('thrown' in outcome)
      if ('thrown' in outcome) this.#undoBody(work)
      else if (work.hasSavepoint) this.#connection.control('release body')
      return outcome
    } catch (thrown) {
      this.#undoBody(work)
      return { thrown }
    }
  }

  /** Takes back what a body has written, with its whole group where it has no savepoint. */
  #undoBody(work: Work): void {
    if (!this.#connection.isInTransaction) return
    if (!work.hasSavepoint) {
      if (work.session?.hasWritten) this.#giveUp()
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

  #giveUp(): void {
    this.#isGivenUp = true
    this.#connection.control('rollback')
  }

  /** Commits; returns what went wrong, which is the last body's outcome when it has ended the transaction. */
  #commit(): Outcome | undefined {
    if (!this.#connection.isInTransaction) return this.works.at(-1)?.outcome
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
   * When the disk was full or a late constraint failed, one body is to blame and the others try again; after any other
   * error nothing is known, and nothing is repeated.
   */
  #lossOfTransaction(cause: Outcome): Loss {
    const reason = 'thrown' in cause ? cause.thrown : new Error('A body ended the transaction of its group.')
    this.#log.error({ error: reason, bodies: this.works.length }, 'a group of writes was rolled back')
    const mayRepeat = isSqliteFull(reason) || isSqliteConstraint(reason)
    const isRepeated = (work: Work): boolean => mayRepeat && !work.terms.alone && work.outcome !== cause
    return {
      reason,
      repeated: this.works.filter(isRepeated),
      refused: this.works.filter((work) => !isRepeated(work)),
    }
  }
}

/** The body that failed tries again, too: the reason may be what another had written. Alone it gets its own reason. */
function lossByFailure(works: readonly Work[]): Loss {
  const outcome = works.length === 1 ? works[0]?.outcome : undefined
  if (outcome && 'thrown' in outcome) return { reason: outcome.thrown, repeated: [], refused: works }
  return { reason: undefined, repeated: works, refused: [] }
}
