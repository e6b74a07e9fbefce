import type { Tx } from '../../../../../storage/open.ts'

/** A token that may not log in again, by a hash of its `jti`. */
interface UsedIdRow {
  mount_id: string
  hash: string
  expires_at: number
}

declare module '../../../../../storage/tables.ts' {
  interface DescribedTables {
    jwt_used_ids: UsedIdRow
  }
}

/** Notes that a token was used; false if it was before. */
export async function noteUse(
  tx: Tx,
  { mountId, hash, expiresAt }: { readonly mountId: string; readonly hash: string; readonly expiresAt: number },
): Promise<boolean> {
  const insert = tx.insertInto('jwt_used_ids').values({ mount_id: mountId, hash, expires_at: expiresAt })
  const inserted = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

/** Forgets up to so many tokens that have expired; returns how many there were. */
export async function forgetExpired(tx: Tx, now: number, limit: number): Promise<number> {
  const expired = tx.selectFrom('jwt_used_ids').select('hash').where('expires_at', '<', now).limit(limit)
  // The hash is bound to the mount, so that it alone names a row.
  const deleted = tx.deleteFrom('jwt_used_ids').where('hash', 'in', expired).where('expires_at', '<', now)
  return Number((await deleted.executeTakeFirst()).numDeletedRows)
}

/** Removes up to `limit` notes of a mount that is gone; returns how many are left. */
export async function removeSomeUsedIds(tx: Tx, mountId: string, limit: number): Promise<number> {
  const some = tx.selectFrom('jwt_used_ids').select('hash').where('mount_id', '=', mountId).limit(limit)
  await tx.deleteFrom('jwt_used_ids').where('mount_id', '=', mountId).where('hash', 'in', some).execute()
  const left = tx
    .selectFrom('jwt_used_ids')
    .select((eb) => eb.fn.countAll().as('rows'))
    .where('mount_id', '=', mountId)
  return Number((await left.executeTakeFirstOrThrow()).rows)
}
