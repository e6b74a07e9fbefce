import type { Db, Tx } from './database.ts'
import { inTransaction } from './transaction.ts'

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
