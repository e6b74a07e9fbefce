import type { Awaitable } from '../kernel/awaitable.ts'
import type { Db, Queryable, Tx } from './database.ts'
import { claimLost, isFailedClaim, isForeignKeyViolation, referenceChanged } from './database-errors.ts'
import { handlesFor } from './database-handle.ts'
import { engineOf, sessionIn, type TransactOptions } from './engine.ts'
import { noteFullness } from './fullness.ts'

const handles = { sqlite: handlesFor('sqlite'), postgres: handlesFor('postgres') }

/**
 * Runs the work in one transaction and resolves after the commit is durable. The work awaits nothing but `tx`, and may
 * run more than once (on a conflict or a lost connection), so it changes nothing but the database. After a statement
 * has failed, the transaction can only fail, on both engines alike: a reference to nothing as a conflict, since what
 * a caller names is looked up before the transaction begins.
 */
export async function inTransaction<T>(
  db: Db,
  work: (tx: Tx) => Awaitable<T>,
  options: TransactOptions = {},
): Promise<T> {
  const engine = engineOf(db)
  try {
    return await engine.transaction((session) => work(handles[engine.kind].tx(engine, session)), options)
  } catch (thrown) {
    noteFullness(engine, thrown)
    if (isFailedClaim(thrown)) throw claimLost(thrown)
    throw isForeignKeyViolation(thrown) ? referenceChanged(thrown) : thrown
  }
}

/**
 * Lets others read if this transaction has kept them waiting for some milliseconds: on SQLite, its statements hold up the
 * event loop. To be called between the steps of work whose rows may be many; others write when the transaction has ended.
 */
export const letOthersRead = (db: Queryable): Awaitable<void> => sessionIn(db)?.letOthersRead?.()

/**
 * Reads as often as the work wants, and everything as of one moment. The work awaits nothing but the handle it is given,
 * and may run more than once.
 */
export async function inSnapshot<T>(db: Db, work: (snapshot: Queryable) => Promise<T>): Promise<T> {
  const engine = engineOf(db)
  return await engine.snapshot((session) => work(handles[engine.kind].tx(engine, session)))
}
