import type { Queryable, Tx } from '../../../storage/open.ts'
import type { VcsConnection } from './vcs-rules.ts'

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
export async function holdConnection(tx: Tx, tokenId: string): Promise<boolean> {
  const result = await tx
    .updateTable('oauth_tokens')
    .set(({ ref }) => ({ has_ssh_key: ref('has_ssh_key') }))
    .where('id', '=', tokenId)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** The workspace that is to use a pool; it has no id yet while it is being created. */
export type PoolUser = {
  readonly organizationId: string
  readonly projectId: string
  readonly workspaceId: string | undefined
}

/**
 * True if the pool belongs to the organization and lets this workspace use it; an exclusion wins over any permission.
 */
export async function mayUsePool(db: Queryable, poolId: string, user: PoolUser): Promise<boolean> {
  const pool = await db
    .selectFrom('agent_pools')
    .select('organization_scoped')
    .where('id', '=', poolId)
    .where('organization_id', '=', user.organizationId)
    .executeTakeFirst()
  if (!pool) return false
  const rows = await db
    .selectFrom('agent_pool_scopes')
    .select('kind')
    .where('pool_id', '=', poolId)
    .where('target_id', 'in', [user.projectId, ...(user.workspaceId === undefined ? [] : [user.workspaceId])])
    .execute()
  const kinds = new Set(rows.map((row) => row.kind))
  if (kinds.has('excluded-workspace')) return false
  return pool.organization_scoped === 1 || kinds.has('allowed-workspace') || kinds.has('allowed-project')
}
