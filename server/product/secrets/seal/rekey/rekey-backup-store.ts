import type { Queryable, Tx } from '../../../../storage/open.ts'
import type { RekeyBackupRow } from '../seal.ts'

const rowId = 'backup'

/** The copy of the encrypted shares of these keys. */
export function loadBackup(db: Queryable, keyringId: string): Promise<RekeyBackupRow | undefined> {
  return db
    .selectFrom('rekey_backup')
    .selectAll()
    .where('id', '=', rowId)
    .where('keyring_id', '=', keyringId)
    .executeTakeFirst()
}

/** Keeps a copy in place of the one before. */
export async function putBackup(tx: Tx, backup: Omit<RekeyBackupRow, 'id'>): Promise<void> {
  await tx
    .insertInto('rekey_backup')
    .values({ ...backup, id: rowId })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(backup))
    .execute()
}

/** Removes the copy, if there is one. */
export async function deleteBackup(tx: Tx): Promise<void> {
  await tx.deleteFrom('rekey_backup').execute()
}
