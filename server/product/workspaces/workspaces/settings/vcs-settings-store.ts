import type { Queryable, Tx } from '../../../../storage/open.ts'
import type { VcsConnection } from './vcs-settings.ts'

/** The connections with these token ids, if they belong to the organization. */
export async function loadConnections(
  db: Queryable,
  organizationId: string,
  tokenIds: readonly string[],
): Promise<VcsConnection[]> {
  const rows = await db
    .selectFrom('oauth_tokens as token')
    .innerJoin('oauth_clients as client', 'client.id', 'token.oauth_client_id')
    .where('token.id', 'in', tokenIds)
    .where('token.organization_id', '=', organizationId)
    .select(['token.id', 'client.name', 'client.service_provider', 'client.http_url'])
    .execute()
  return rows.map((row) => ({
    tokenId: row.id,
    clientName: row.name,
    serviceProvider: row.service_provider,
    httpUrl: row.http_url,
  }))
}

/** True if the token exists; it cannot be deleted before the transaction ends. */
export async function lockConnectionForShare(tx: Tx, tokenId: string): Promise<boolean> {
  const kept = tx.selectFrom('oauth_tokens').select('id').where('id', '=', tokenId).forKeyShare()
  return (await kept.executeTakeFirst()) !== undefined
}
