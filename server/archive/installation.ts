import type { Queryable } from '../storage/open.ts'
import type { InstallationRow } from '../storage/tables/installation.ts'
import { inTransaction } from '../storage/transaction.ts'
import { loadSeal } from './seal-store.ts'
import type { ArchiveDeps, ArchiveFacts } from './types.ts'

const rowId = 'installation'

/** What tells this installation apart from others. The first who asks determines it; nodes of one database share it. */
export async function loadInstallation({ store, ids }: Pick<ArchiveDeps, 'store' | 'ids'>): Promise<InstallationRow> {
  const known = await select(store.db)
  if (known) return known
  const { cluster_id } = await loadSeal(store.db)
  const fresh = { id: rowId, uuid: ids.uuid(), cluster_id }
  return await inTransaction(store.db, async (tx) => {
    await tx
      .insertInto('installation')
      .values(fresh)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
    // Another node may have been faster.
    return (await select(tx)) ?? fresh
  })
}

const select = (db: Queryable): Promise<InstallationRow | undefined> =>
  db.selectFrom('installation').selectAll().where('id', '=', rowId).executeTakeFirst()

/**
 * True if an archive was taken by another installation, whose snapshot destinations are not ours. The cluster alone does
 * not tell: after the first such restore, this installation has the cluster of the other.
 */
export async function isFromElsewhere(
  deps: Pick<ArchiveDeps, 'store' | 'ids'>,
  { clusterId, installation }: Pick<ArchiveFacts, 'clusterId' | 'installation'>,
): Promise<boolean> {
  const here = await loadInstallation(deps)
  const { cluster_id: liveCluster } = await loadSeal(deps.store.db)
  if (clusterId !== liveCluster) return true
  return installation === undefined ? clusterId !== here.cluster_id : installation !== here.uuid
}
