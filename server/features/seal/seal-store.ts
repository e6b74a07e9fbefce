import { failure } from '../../kernel/failure.ts'
import type { Db, Queryable, Tx } from '../../storage/open.ts'
import type { SealRow } from '../../storage/tables/seal.ts'
import { inTransaction } from '../../storage/transaction.ts'
import { bumpVersion } from '../../storage/versions.ts'

const rowId = 'seal'

/** How the store is sealed; undefined before initialisation. */
export function loadSeal(db: Queryable): Promise<SealRow | undefined> {
  return db.selectFrom('seal').selectAll().where('id', '=', rowId).executeTakeFirst()
}

/** Stores the first keys. False when another process came first. */
export async function insertSeal(tx: Tx, row: Omit<SealRow, 'id' | 'revision'>): Promise<boolean> {
  const result = await tx
    .insertInto('seal')
    .values({ ...row, id: rowId, revision: 1 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  bumpVersion(tx, 'keyring')
  return result.numInsertedOrUpdatedRows === 1n
}

/** Replaces the wrapped keys if they are still the ones that were read. */
export function swapWrapped(db: Db, revision: number, wrapped: Buffer): Promise<void> {
  return inTransaction(db, async (tx) => {
    const result = await tx
      .updateTable('seal')
      .set({ wrapped, revision: revision + 1 })
      .where('id', '=', rowId)
      .where('revision', '=', revision)
      .executeTakeFirst()
    if (result.numUpdatedRows !== 1n) {
      throw failure('conflict', 'keyring.changed', 'Another process changed the keys at the same moment; try again.')
    }
    bumpVersion(tx, 'keyring')
  })
}

/** Asks every process to store how often it has used the keys. */
export const requestKeyUsage = (db: Db): Promise<void> => inTransaction(db, (tx) => bumpVersion(tx, 'key-usage'))
