import type { Queryable, Tx } from '../../../../storage/open.ts'
import { rowChunksOf } from '../../../../storage/row-chunks.ts'
import { letOthersRead } from '../../../../storage/transaction.ts'
import { bumpVersion } from '../../../../storage/versions.ts'

/** A workspace that may read the state of another. */
interface RemoteStateConsumerRow {
  workspace_id: string
  consumer_id: string
  created_at: number
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    remote_state_consumers: RemoteStateConsumerRow
  }
}

/** What checking rights on a workspace needs. */
type Candidate = { readonly id: string; readonly projectId: string }

/** The workspaces that may read the state of this one, by name. */
export async function loadConsumers(db: Queryable, workspaceId: string): Promise<Candidate[]> {
  const rows = await db
    .selectFrom('remote_state_consumers')
    .innerJoin('workspaces', 'workspaces.id', 'remote_state_consumers.consumer_id')
    .select(['workspaces.id', 'workspaces.project_id'])
    .where('remote_state_consumers.workspace_id', '=', workspaceId)
    .orderBy('workspaces.name')
    .execute()
  return rows.map((row) => ({ id: row.id, projectId: row.project_id }))
}

/** Adds consumers; those that exist already stay. */
export async function insertConsumers(
  tx: Tx,
  workspaceId: string,
  consumerIds: readonly string[],
  at: number,
): Promise<void> {
  const rows = consumerIds.map((consumerId) => ({ workspace_id: workspaceId, consumer_id: consumerId, created_at: at }))
  for (const lot of rowChunksOf(rows)) {
    await tx
      .insertInto('remote_state_consumers')
      .values(lot)
      .onConflict((conflict) => conflict.columns(['workspace_id', 'consumer_id']).doNothing())
      .execute()
    await letOthersRead(tx)
  }
  bumpVersion(tx, 'workspaces')
}

/** Removes these consumers, or all of them. */
export async function deleteConsumers(
  tx: Tx,
  workspaceId: string,
  consumerIds: readonly string[] | 'all',
): Promise<void> {
  const all = tx.deleteFrom('remote_state_consumers').where('workspace_id', '=', workspaceId)
  await (consumerIds === 'all' ? all : all.where('consumer_id', 'in', consumerIds)).execute()
  bumpVersion(tx, 'workspaces')
}
