import type { Db, Queryable, Tx } from './database.ts'
import { inTransaction, letOthersRead } from './transaction.ts'

/** How many rows a batch writes: few enough that SQLite is done with them in some milliseconds. */
const batchRows = 500

/**
 * Repeats a step that writes up to `limit` rows, each time in a transaction of its own, until it finds fewer. Returns how
 * many there were. Others get their turn in between, which one large transaction would deny them.
 */
export async function inBatches(
  db: Db,
  step: (tx: Tx, limit: number) => Promise<number>,
  limit: number = batchRows,
): Promise<number> {
  for (let total = 0; ; ) {
    const count = await inTransaction(db, (tx) => step(tx, limit))
    total += count
    if (count < limit) return total
  }
}

/** How many rows such a step writes: several fit into the turn of a transaction. */
const stepRows = 100

/**
 * Repeats a step that writes up to `limit` rows, all in one transaction, until it finds fewer; returns how many there were.
 * Others read in between, as in every transaction that calls `letOthersRead`.
 */
export async function inSteps(
  tx: Queryable,
  step: (limit: number) => Promise<number>,
  limit: number = stepRows,
): Promise<number> {
  for (let total = 0; ; await letOthersRead(tx)) {
    const count = await step(limit)
    total += count
    if (count < limit) return total
  }
}
