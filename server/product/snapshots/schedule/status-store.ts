import type { Queryable, Tx } from '../../../storage/open.ts'
import type { SnapshotStatusRow } from '../snapshot-row.ts'

const newStatus: Omit<SnapshotStatusRow, 'name'> = {
  anchor: 0,
  consecutive_errors: 0,
  last_number: '0',
  prune_error: '',
  stored: -1,
  used_bytes: 0,
}

/** The status of a configuration; a blank one if nothing is known yet. */
export async function loadStatus(db: Queryable, name: string): Promise<SnapshotStatusRow> {
  const row = await db.selectFrom('snapshot_status').selectAll().where('name', '=', name).executeTakeFirst()
  return row ?? { name, ...newStatus }
}

/** Every status there is. */
export const loadStatuses = (db: Queryable): Promise<SnapshotStatusRow[]> =>
  db.selectFrom('snapshot_status').selectAll().execute()

/** Changes some facts of a status. */
export async function updateStatus(
  tx: Tx,
  name: string,
  change: Partial<Omit<SnapshotStatusRow, 'name'>>,
): Promise<void> {
  await tx
    .insertInto('snapshot_status')
    .values({ name, ...newStatus, ...change })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ name, ...change }))
    .execute()
}

/** Forgets the status of a configuration. */
export async function deleteStatus(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('snapshot_status').where('name', '=', name).execute()
}
