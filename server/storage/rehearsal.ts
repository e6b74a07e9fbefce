import { CompiledQuery } from 'kysely'
import type { Awaitable } from '../kernel/awaitable.ts'
import type { Versions } from './areas.ts'
import { isTransactionFailed } from './database-errors.ts'
import { handlesFor } from './database-handle.ts'
import { isReadOnly } from './dialect.ts'
import { type Engine, engineOf, type Session, sessionOf } from './engine.ts'
import type { Store } from './open.ts'
import { inTransaction } from './transaction.ts'

/**
 * Runs work on a store that is like the given one, and takes back all that it has written there. Everything happens in
 * one transaction: those that the work begins are steps of it. What is remembered for a store is not shared either way,
 * so that nobody else ever sees what was only tried.
 */
export async function rehearse<T>(store: Store, work: (store: Store) => Awaitable<T>): Promise<T> {
  const now = await store.databaseNow()
  const end = new RehearsalEnd()
  let result: { readonly value: T } | undefined
  try {
    await inTransaction(store.db, async (tx) => {
      const moves = new RehearsedMoves(sessionOf(tx))
      const engine = rehearsalEngine(engineOf(store.db), sessionOf(tx), moves)
      const db = handlesFor(engine.kind).db(engine)
      const rehearsed = { db, reads: db, versions: moves.versions, databaseNow: async () => now }
      result = { value: await work({ ...store, ...rehearsed }) }
      throw end
    })
  } catch (thrown) {
    if (thrown !== end || !result) throw thrown
  }
  return (result as { readonly value: T }).value
}

/** Has the transaction rolled back. */
class RehearsalEnd extends Error {}

/** Numbers that no version outside ever has: those count upwards. Each rehearsal has a range of its own. */
const range = 1_000_000
let rehearsals = 0

/** What is known about changes within a rehearsal. */
class RehearsedMoves {
  readonly #session: Session
  readonly #base = -range * ++rehearsals
  readonly #moves = new Map<string, number>()
  #writes = 0

  constructor(session: Session) {
    this.#session = session
  }

  readonly versions: Versions = {
    refresh: () => undefined,
    of: (area) => this.#base + (this.#moves.get(area) ?? 0),
    content: () => this.#base + this.#writes,
    onChange: () => () => undefined,
  }

  noteWrite(): void {
    this.#writes += 1
  }

  /** Takes note of all that has been announced so far. */
  noteStep(): void {
    this.noteWrite()
    for (const area of this.#session.bumped) this.#moves.set(area, this.#writes)
  }
}

const begin = CompiledQuery.raw('savepoint rehearsed')
const undo = CompiledQuery.raw('rollback to savepoint rehearsed')
const finish = CompiledQuery.raw('release savepoint rehearsed')

/** An engine whose transactions are steps of one that is not committed, one after the other. */
function rehearsalEngine(real: Engine, whole: Session, moves: RehearsedMoves): Engine {
  // Nothing is left for the end, which never comes.
  const session: Session = {
    kind: whole.kind,
    get open() {
      return whole.open
    },
    bumped: whole.bumped,
    execute: (query, hot) => whole.execute(query, hot),
    letOthersRead: async () => whole.letOthersRead?.(),
  }
  const runStep = async <T>(work: (session: Session) => Awaitable<T>): Promise<T> => {
    await whole.execute(begin)
    try {
      const result = await work(session)
      await whole.execute(finish)
      return result
    } catch (thrown) {
      await takeBack()
      throw thrown
    } finally {
      moves.noteStep()
    }
  }
  const takeBack = async (): Promise<void> => {
    try {
      await whole.execute(undo)
      await whole.execute(finish)
    } catch (error) {
      // After a failed statement nothing runs any more: the end of the rehearsal takes back everything.
      if (!isTransactionFailed(error)) throw error
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  const step = <T>(work: (session: Session) => Awaitable<T>): Promise<T> => {
    const mine = last.then(() => runStep(work))
    last = mine.catch(() => undefined)
    return mine
  }
  return {
    kind: real.kind,
    versions: real.versions,
    execute: (query, hot) => {
      if (!isReadOnly(query)) moves.noteWrite()
      return whole.execute(query, hot)
    },
    transaction: step,
    snapshot: step,
    databaseNow: () => real.databaseNow(),
    load: real.load,
    close: async () => undefined,
  }
}
