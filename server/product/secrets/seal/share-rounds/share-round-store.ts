import type { Instant } from '../../../../kernel/clock.ts'
import type { Db, Queryable, Tx } from '../../../../storage/open.ts'
import type { ShareRound, ShareRoundId } from '../seal.ts'

/** The round that collects shares of this keyring, unless it began before `since`. */
export function loadRound(
  db: Queryable,
  id: ShareRoundId,
  { keyringId, since }: { keyringId: string; since: Instant },
): Promise<ShareRound | undefined> {
  return db
    .selectFrom('rekey')
    .selectAll()
    .where('id', '=', id)
    .where('keyring_id', '=', keyringId)
    .where('started_at', '>=', since)
    .executeTakeFirst()
}

/** Begins, unless somebody else has. What began before `since`, or for other keys, is given up. */
export async function insertRound(tx: Tx, row: ShareRound, since: Instant): Promise<boolean> {
  await tx
    .deleteFrom('rekey')
    .where((where) => where.or([where('keyring_id', '!=', row.keyring_id), where('started_at', '<', since)]))
    .execute()
  const result = await tx
    .insertInto('rekey')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** What changes while shares are given. */
export type ShareRoundChange = Partial<
  Pick<ShareRound, 'given' | 'given_count' | 'next_root_key' | 'verification_nonce' | 'backup'>
>

/** Writes progress on what was read; undefined when somebody was faster. */
export async function swapRound(db: Db, row: ShareRound, change: ShareRoundChange): Promise<ShareRound | undefined> {
  const changed = { ...change, revision: row.revision + 1 }
  const result = await db
    .updateTable('rekey')
    .set(changed)
    .where('id', '=', row.id)
    .where('nonce', '=', row.nonce)
    .where('revision', '=', row.revision)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n ? { ...row, ...changed } : undefined
}

/** Ends it if it is still as it was read. */
export async function deleteRound(db: Queryable, { nonce, revision }: ShareRound): Promise<boolean> {
  const result = await db
    .deleteFrom('rekey')
    .where('nonce', '=', nonce)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Gives up what has this nonce, however far it has come. */
export async function cancelRound(db: Queryable, nonce: string): Promise<void> {
  await db.deleteFrom('rekey').where('nonce', '=', nonce).execute()
}

/** Forgets the copy of new shares that await verification. Whoever writes progress at this moment tries again. */
export async function dropPendingBackup(tx: Tx): Promise<void> {
  await tx
    .updateTable('rekey')
    .set(({ eb, ref }) => ({ backup: null, revision: eb(ref('revision'), '+', 1) }))
    .where('backup', 'is not', null)
    .execute()
}

/** Gives up every round for these keys: their shares end. */
export async function endRounds(tx: Tx, keyringId: string): Promise<void> {
  await tx.deleteFrom('rekey').where('keyring_id', '=', keyringId).execute()
}

/** Gives up what began before this moment. */
export async function dropRounds(db: Queryable, before: Instant): Promise<void> {
  await db.deleteFrom('rekey').where('started_at', '<', before).execute()
}
