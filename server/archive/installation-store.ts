import type { Queryable, Tx } from '../storage/open.ts'
import { inTransaction } from '../storage/transaction.ts'
import { loadSeal } from './seal-store.ts'
import type { ArchiveDeps, ArchiveFacts } from './types.ts'

/**
 * The one row that tells this installation apart from every other. It is in no archive, so it stays what it is when the
 * data of another installation is restored here. All nodes of one database are one installation.
 */
interface InstallationRow {
  id: string
  /** Written into every archive that is taken here. */
  uuid: string
  /** The cluster that was here when the row was made: archives of earlier versions name only that. */
  cluster_id: string
}

declare module '../storage/tables.ts' {
  interface DescribedTables {
    installation: InstallationRow
  }
}

const rowId = 'installation'

/** What tells this installation apart from others; undefined until somebody has asked for it. */
export const findInstallation = (db: Queryable): Promise<InstallationRow | undefined> =>
  db.selectFrom('installation').selectAll().where('id', '=', rowId).executeTakeFirst()

/** Stores what tells this installation apart from others, unless that is known already; returns what is known then. */
async function ensureInstallation(tx: Tx, fresh: Omit<InstallationRow, 'id'>): Promise<InstallationRow> {
  const row = { id: rowId, ...fresh }
  await tx
    .insertInto('installation')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return (await findInstallation(tx)) ?? row
}

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
