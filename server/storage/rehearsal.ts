import type { Awaitable } from '../kernel/awaitable.ts'
import { handlesFor } from './database-handle.ts'
import { isReadOnly } from './dialect.ts'
import { type Engine, engineOf, type Session, sessionOf } from './engine.ts'
import type { Store } from './open.ts'
import { inTransaction } from './transaction.ts'
import { VersionTracker } from './version-tracker.ts'

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
      const engine = rehearsalEngine(engineOf(store.db), sessionOf(tx))
      const db = handlesFor(engine.kind).db(engine)
      const { versions } = engine
      result = { value: await work({ ...store, db, reads: db, versions, databaseNow: async () => now }) }
      throw end
    })
  } catch (thrown) {
    if (thrown !== end || !result) throw thrown
  }
  return (result as { readonly value: T }).value
}

/** Has the transaction rolled back. */
class RehearsalEnd extends Error {}

/** An engine whose transactions are steps of one that is not committed. */
function rehearsalEngine(real: Engine, whole: Session): Engine {
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
  const versions = new VersionTracker({ refresh: () => undefined })
  let steps = 0
  const noteStep = () => {
    steps += 1
    for (const area of whole.bumped) versions.noteVersion(area, steps)
    versions.noteWrite()
  }
  const step = async <T>(work: (session: Session) => Awaitable<T>): Promise<T> => {
    const result = await work(session)
    noteStep()
    return result
  }
  return {
    kind: real.kind,
    versions,
    execute: (query, hot) => {
      if (!isReadOnly(query)) versions.noteWrite()
      return whole.execute(query, hot)
    },
    transaction: step,
    snapshot: step,
    databaseNow: () => real.databaseNow(),
    load: real.load,
    close: async () => undefined,
  }
}
