import type { Caller } from '../../../archive/index.ts'
import type { Db, Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import { deleteTokens } from '../../people/api-tokens/index.ts'
import { deleteSessions } from '../../people/users/index.ts'
import { markDeadExcept } from '../../secrets/tokens/index.ts'

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

const revivedIds = (tx: Tx, kind: string) =>
  tx.selectFrom('restored_tokens').select('id').where('kind', '=', kind).$asScalar()

/** A revived token and its ancestors, as far as they are revived too. */
async function revivedLine(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx
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
    .select('id')
    .where('id', 'in', revivedIds(tx, 'tokens'))
    .execute()
  return rows.map((row) => row.id)
}

/**
 * Revokes the tokens that the last restore revived, except the one that the caller hangs on and its parents: without
 * these, nobody might be left who may sign in. What is spared can be revoked by another caller.
 */
export function revokeRevivedTokens(db: Db, { tokenId }: Caller): Promise<RevivedTokens> {
  return inTransaction(db, async (tx) => {
    const spared = await revivedLine(tx, tokenId)
    // A list in SQL must not be empty.
    const kept = ['', ...spared]
    // Marked and not deleted: the feature that owns service tokens removes them with everything that depends on them.
    const tokens = await markDeadExcept(tx, revivedIds(tx, 'tokens'), kept)
    const apiTokens = await deleteTokens(tx, revivedIds(tx, 'api_tokens'))
    const sessions = await deleteSessions(tx, revivedIds(tx, 'sessions'))
    await tx.deleteFrom('restored_tokens').where('id', 'not in', kept).execute()
    bumpVersion(tx, 'users')
    return { tokens, apiTokens, sessions, spared: spared.length }
  })
}
