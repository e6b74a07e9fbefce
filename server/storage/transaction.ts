import type { Db, Tx } from './database.ts'

/** What a transaction may be told. */
export type TransactionOptions = {
  /** Names this operation, so that a COMMIT whose answer was lost is settled instead of reported as unknown. */
  operationId?: string
}

/**
 * Runs the body in one transaction and resolves after the commit is durable. The body awaits nothing but `tx`, and may
 * run more than once (on a conflict or a lost connection), so it changes nothing but the database.
 */
export async function inTransaction<T>(
  _db: Db,
  _body: (tx: Tx) => Promise<T>,
  _options: TransactionOptions = {},
): Promise<T> {
  throw new Error('not written yet')
}
