import { inTransaction } from '../storage/transaction.ts'
import { ensureInstallation, findInstallation, type InstallationRow } from './installation-store.ts'
import { loadSeal } from './seal-store.ts'
import type { ArchiveDeps, ArchiveFacts } from './types.ts'

/** What tells this installation apart from others. The first who asks determines it; nodes of one database share it. */
export async function loadInstallation({ store, ids }: Pick<ArchiveDeps, 'store' | 'ids'>): Promise<InstallationRow> {
  const known = await findInstallation(store.db)
  if (known) return known
  const { cluster_id } = await loadSeal(store.db)
  return await inTransaction(store.db, (tx) => ensureInstallation(tx, { uuid: ids.uuid(), cluster_id }))
}

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
