import { type Failure, failure } from '../kernel/failure.ts'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'

/** A mark left by a transaction, by which a lost answer to its COMMIT is settled. */
interface OperationRow {
  id: string
  created_at: number
}

declare module './tables.ts' {
  interface DescribedTables {
    operations: OperationRow
  }
}

/** An operation id was used before: what it names has been done. */
export const repeatedOperation = (id: string): Failure =>
  failure('conflict', 'storage.operation-repeated', `The operation '${id}' has already been carried out.`)

/** Forgets operations that ended before this time; long after anyone could still ask how their commit went. */
export async function sweepOperations(db: Db, before: number): Promise<number> {
  return await inBatches(db, async (tx, limit) => {
    const old = tx.selectFrom('operations').select('id').where('created_at', '<', before).limit(limit)
    return Number((await tx.deleteFrom('operations').where('id', 'in', old).executeTakeFirst()).numDeletedRows)
  })
}
