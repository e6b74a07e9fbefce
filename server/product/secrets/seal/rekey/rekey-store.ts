import type { Instant } from '../../../../kernel/clock.ts'
import type { Db, Queryable, Tx } from '../../../../storage/open.ts'
import type { RekeyRow } from '../seal.ts'

const rowId = 'rekey'

/** The new shares that are being made for this keyring, unless that began before `since`. */
export function loadRekey(db: Queryable, keyringId: string, since: Instant): Promise<RekeyRow | undefined> {
  return db
    .selectFrom('rekey')
    .selectAll()
    .where('id', '=', rowId)
    .where('keyring_id', '=', keyringId)
    .where('started_at', '>=', since)
    .executeTakeFirst()
}

/** Begins, unless somebody else has. What began before `since`, or for other keys, is given up. */
export async function insertRekey(tx: Tx, begun: Omit<RekeyRow, 'id'>, since: Instant): Promise<RekeyRow | undefined> {
  const row = { ...begun, id: rowId }
  await tx
    .deleteFrom('rekey')
    .where((where) => where.or([where('keyring_id', '!=', row.keyring_id), where('started_at', '<', since)]))
    .execute()
  const result = await tx
    .insertInto('rekey')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n ? row : undefined
}

/** What changes while shares are given. */
type RekeyChange = Partial<Pick<RekeyRow, 'given' | 'given_count' | 'next_root_key' | 'verification_nonce'>>

/** Writes progress on what was read; undefined when somebody was faster. */
export async function swapRekey(db: Db, row: RekeyRow, change: RekeyChange): Promise<RekeyRow | undefined> {
  const changed = { ...change, revision: row.revision + 1 }
  const result = await db
    .updateTable('rekey')
    .set(changed)
    .where('id', '=', rowId)
    .where('nonce', '=', row.nonce)
    .where('revision', '=', row.revision)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n ? { ...row, ...changed } : undefined
}

/** Ends it if it is still as it was read. */
export async function deleteRekey(db: Queryable, { nonce, revision }: RekeyRow): Promise<boolean> {
  const result = await db
    .deleteFrom('rekey')
    .where('nonce', '=', nonce)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Gives up what has this nonce, however far it has come. */
export async function cancelRekey(db: Queryable, nonce: string): Promise<void> {
  await db.deleteFrom('rekey').where('nonce', '=', nonce).execute()
}

/** Gives up what began before this moment. */
export async function dropRekey(db: Queryable, before: Instant): Promise<void> {
  await db.deleteFrom('rekey').where('started_at', '<', before).execute()
}
