import type { Instant } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Db, Queryable, Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import type { HandoverRow, SealRow } from './seal.ts'

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

/** What changes with the keys: they are wrapped anew, and with another root key they have other shares. */
export type ChangedSeal = Pick<SealRow, 'wrapped'> & Partial<Pick<SealRow, 'shares' | 'threshold'>>

/** Replaces the wrapped keys if they are still the ones that were read, and writes what belongs to that. */
export function swapSeal(
  db: Db,
  revision: number,
  changed: ChangedSeal,
  { alongside, operationId }: { alongside?: ((tx: Tx) => Promise<void>) | undefined; operationId: string },
): Promise<void> {
  const swap = async (tx: Tx): Promise<void> => {
    const result = await tx
      .updateTable('seal')
      .set({ ...changed, revision: revision + 1 })
      .where('id', '=', rowId)
      .where('revision', '=', revision)
      .executeTakeFirst()
    if (result.numUpdatedRows !== 1n) {
      throw failure('conflict', 'keyring.changed', 'Another process changed the keys at the same moment; try again.')
    }
    await alongside?.(tx)
    bumpVersion(tx, 'keyring')
  }
  return inTransaction(db, swap, { operationId })
}

const handoverId = 'handover'

/** A root key that was handed over to those who have opened this keyring. */
export function loadHandover(db: Queryable, keyringId: string): Promise<HandoverRow | undefined> {
  return db
    .selectFrom('root_key_handover')
    .selectAll()
    .where('id', '=', handoverId)
    .where('keyring_id', '=', keyringId)
    .executeTakeFirst()
}

/** Hands a root key over, in place of any before it. */
export async function putHandover(tx: Tx, handover: Omit<HandoverRow, 'id'>): Promise<void> {
  await tx
    .insertInto('root_key_handover')
    .values({ ...handover, id: handoverId })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(handover))
    .execute()
}

/** Removes what was handed over before this moment. */
export async function dropHandover(db: Db, before: Instant): Promise<void> {
  await db.deleteFrom('root_key_handover').where('created_at', '<', before).execute()
}

/** Asks every process to store how often it has used the keys. */
export const requestKeyUsage = (db: Db): Promise<void> => inTransaction(db, (tx) => bumpVersion(tx, 'key-usage'))
