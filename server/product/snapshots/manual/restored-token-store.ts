import type { Caller } from '../../../archive/index.ts'
import type { Db, Queryable, Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import { deleteTokens } from '../../people/api-tokens/index.ts'
import { deleteSessions } from '../../people/users/index.ts'
import { markLivingDead } from '../../secrets/tokens/index.ts'

/** A token that the last restore brought back to life; `kind` is its table. */
interface RestoredTokenRow {
  kind: string
  id: string
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    restored_tokens: RestoredTokenRow
  }
}

/** Tokens that the last restore revived, by kind. */
type RevivedTokens = {
  readonly tokens: number
  readonly apiTokens: number
  readonly sessions: number
  /** How many service tokens were spared. */
  readonly spared: number
}

/** Tokens that are ended in one transaction: few enough that SQLite is done with them in some milliseconds. */
const atOnce = 250

/** A revived token and its ancestors, as far as they are revived too. */
async function revivedLine(db: Queryable, id: string): Promise<string[]> {
  const rows = await db
    .withRecursive('line', (line) =>
      line
        .selectFrom('tokens')
        .select(['id', 'parent_id'])
        .where('id', '=', id)
        .union(
          line
            .selectFrom('tokens')
            .innerJoin('line', 'line.parent_id', 'tokens.id')
            .select(['tokens.id', 'tokens.parent_id']),
        ),
    )
    .selectFrom('line')
    .innerJoin('restored_tokens as revived', 'revived.id', 'line.id')
    .select('line.id')
    .where('revived.kind', '=', 'tokens')
    .execute()
  return rows.map((row) => row.id)
}

/** Ends some of the tokens of a kind; returns how many there were. */
type EndSome = (tx: Tx, ids: readonly string[]) => Promise<number>

/**
 * Ends all revived tokens of a kind but the kept ones, some in each transaction, and forgets that they were revived. Whatever
 * stops this, the rest is still known.
 */
async function endRevived(db: Db, kind: string, end: EndSome, keep: (tx: Tx) => Promise<string[]>): Promise<number> {
  for (let total = 0; ; ) {
    const { found, ended } = await inTransaction(db, async (tx) => {
      const kept = await keep(tx)
      const some = tx.selectFrom('restored_tokens').select('id').where('kind', '=', kind).orderBy('id').limit(atOnce)
      // A list in SQL must not be empty.
      const ids = (await some.where('id', 'not in', ['', ...kept]).execute()).map(({ id }) => id)
      if (ids.length === 0) return { found: 0, ended: 0 }
      await tx.deleteFrom('restored_tokens').where('kind', '=', kind).where('id', 'in', ids).execute()
      bumpVersion(tx, 'users')
      return { found: ids.length, ended: await end(tx, ids) }
    })
    total += ended
    if (found < atOnce) return total
  }
}

const none = async (): Promise<string[]> => []

/**
 * Revokes the tokens that the last restore revived, except the one that the caller hangs on and its parents: without
 * these, nobody might be left who may sign in. What is spared can be revoked by another caller.
 */
export async function revokeRevivedTokens(db: Db, { tokenId }: Caller): Promise<RevivedTokens> {
  // Another restore may change it on the way.
  const line = (tx: Queryable) => revivedLine(tx, tokenId)
  // Marked and not deleted: the feature that owns service tokens removes them with everything that depends on them.
  const tokens = await endRevived(db, 'tokens', markLivingDead, line)
  const apiTokens = await endRevived(db, 'api_tokens', deleteTokens, none)
  const sessions = await endRevived(db, 'sessions', deleteSessions, none)
  return { tokens, apiTokens, sessions, spared: (await line(db)).length }
}
