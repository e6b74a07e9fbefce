import type { Instant } from '../../../kernel/clock.ts'
import type { Queryable } from '../../../storage/open.ts'

/** The paths under which living tokens are filed, in order. */
export async function listTokenPaths(db: Queryable, now: Instant): Promise<string[]> {
  const rows = await db
    .selectFrom('tokens')
    .select('path')
    .distinct()
    .where('revoked', '=', 0)
    .where('expires_at', '>', now)
    .orderBy('path')
    .execute()
  return rows.map((row) => row.path)
}

/** The hashes of the living tokens filed under exactly this path, in order. */
export async function listTokensAt(db: Queryable, path: string, now: Instant): Promise<string[]> {
  const rows = await db
    .selectFrom('tokens')
    .select('id')
    .where('path', '=', path)
    .where('revoked', '=', 0)
    .where('expires_at', '>', now)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}
