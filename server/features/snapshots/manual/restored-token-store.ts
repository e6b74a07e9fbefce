import type { Db, Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { bumpVersion } from '../../../storage/versions.ts'

/** Tokens that the last restore revived, by kind. */
export type RevivedTokens = { readonly tokens: number; readonly apiTokens: number; readonly sessions: number }

const revivedIds = (tx: Tx, kind: string) => tx.selectFrom('restored_tokens').select('id').where('kind', '=', kind)

/** Revokes the tokens that the last restore revived; returns how many there were. */
export function revokeRevivedTokens(db: Db): Promise<RevivedTokens> {
  return inTransaction(db, async (tx) => {
    // Marked and not deleted: the feature that owns service tokens removes them with everything that depends on them.
    const tokens = await tx
      .updateTable('tokens')
      .set({ revoked: 1 })
      .where('id', 'in', revivedIds(tx, 'tokens'))
      .where('revoked', '=', 0)
      .executeTakeFirst()
    const apiTokens = await tx
      .deleteFrom('api_tokens')
      .where('id', 'in', revivedIds(tx, 'api_tokens'))
      .executeTakeFirst()
    const sessions = await tx.deleteFrom('sessions').where('id', 'in', revivedIds(tx, 'sessions')).executeTakeFirst()
    await tx.deleteFrom('restored_tokens').execute()
    for (const area of ['tokens', 'api-tokens', 'users'] as const) await bumpVersion(tx, area)
    return {
      tokens: Number(tokens.numUpdatedRows),
      apiTokens: Number(apiTokens.numDeletedRows),
      sessions: Number(sessions.numDeletedRows),
    }
  })
}
