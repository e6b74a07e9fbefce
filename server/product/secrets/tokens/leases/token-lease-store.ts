import type { Instant } from '../../../../kernel/clock.ts'
import type { Queryable } from '../../../../storage/open.ts'
import { livingTokens } from '../revoking/revocation-store.ts'

/** Living tokens with an end: those without one have no lease. */
const leasedTokens = (db: Queryable, now: Instant) => livingTokens(db, now).where('expires_at', 'is not', null)

/** The paths under which living tokens are filed, in order. */
export async function listTokenPaths(db: Queryable, now: Instant): Promise<string[]> {
  const rows = await leasedTokens(db, now).select('path').distinct().orderBy('path').execute()
  return rows.map((row) => row.path)
}

/** The hashes of the living tokens filed under exactly this path, in order. */
export async function listTokensAt(db: Queryable, path: string, now: Instant): Promise<string[]> {
  const rows = await leasedTokens(db, now).select('tokens.id').where('path', '=', path).orderBy('tokens.id').execute()
  return rows.map((row) => row.id)
}
