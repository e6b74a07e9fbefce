import type { Instant } from '../../../kernel/clock.ts'
import type { Tx } from '../../../storage/open.ts'

/** A code that a browser carries back to a command line, good once and for a minute; kept as a keyed hash. */
interface OauthCodeRow {
  hash: string
  user_id: string
  username: string
  challenge: string
  redirect_uri: string
  expires_at: number
  /** The session it was made in, with which it goes; null for codes from before this was noted. */
  session_id: string | null
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    oauth_codes: OauthCodeRow
  }
}

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

/** Removes up to so many expired codes; returns how many there were. */
export async function deleteExpiredCodes(tx: Tx, now: Instant, limit: number): Promise<number> {
  const expired = tx.selectFrom('oauth_codes').select('hash').where('expires_at', '<=', now).limit(limit)
  return Number((await tx.deleteFrom('oauth_codes').where('hash', 'in', expired).executeTakeFirst()).numDeletedRows)
}
