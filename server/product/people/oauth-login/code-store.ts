import type { Instant } from '../../../kernel/clock.ts'
import type { Db, Tx } from '../../../storage/open.ts'
import type { OauthCodeRow } from '../../../storage/tables/oauth-login.ts'

/** Stores a code. */
export async function insertCode(tx: Tx, code: OauthCodeRow): Promise<void> {
  await tx.insertInto('oauth_codes').values(code).execute()
}

/** Takes a code; a second request finds none. */
export async function takeCode(tx: Tx, hash: string): Promise<OauthCodeRow | undefined> {
  const row = await tx.selectFrom('oauth_codes').selectAll().where('hash', '=', hash).executeTakeFirst()
  const taken = await tx.deleteFrom('oauth_codes').where('hash', '=', hash).executeTakeFirst()
  return taken.numDeletedRows === 1n ? row : undefined
}

/** Removes expired codes. */
export async function deleteExpiredCodes(db: Db, now: Instant): Promise<void> {
  await db.deleteFrom('oauth_codes').where('expires_at', '<=', now).execute()
}
