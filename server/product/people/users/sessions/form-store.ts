import type { Instant } from '../../../../kernel/clock.ts'
import type { Tx } from '../../../../storage/open.ts'

/** The purpose under which sent forms are stored in the table of links. */
export const formPurpose = 'form'

/** A form that was sent; remembered until its session ends. */
type SentForm = {
  readonly hash: string
  readonly userId: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** Notes that a form was sent; false if it was sent before. */
export async function insertSentForm(tx: Tx, form: SentForm): Promise<boolean> {
  const { hash, userId, createdAt, expiresAt } = form
  const row = { hash, purpose: formPurpose, user_id: userId, created_at: createdAt, expires_at: expiresAt }
  const result = await tx
    .insertInto('one_time_links')
    .values(row)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}
