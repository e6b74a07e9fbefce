import type { Queryable, Tx } from '../../../storage/open.ts'
import type { SnapshotStatusRow } from '../snapshot.ts'
import { loadNewestGoodAttempts } from './attempt-store.ts'

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

/** How long a configuration has been without a good snapshot, and how often it should have one. */
type OverdueFacts = { readonly name: string; readonly interval: number; readonly since: number }

/** The facts about every configuration that is not paused. */
export async function loadOverdueFacts(db: Queryable): Promise<OverdueFacts[]> {
  const rows = await db
    .selectFrom('snapshot_configurations as c')
    .leftJoin('snapshot_attempts as a', (join) =>
      join.onRef('a.name', '=', 'c.name').on('a.error', '=', '').on('a.ended_at', 'is not', null),
    )
    .select((eb) => ['c.name', 'c.interval_s', 'c.created_at', eb.fn.max('a.ended_at').as('ended_at')])
    .where('c.paused', '=', 0)
    .groupBy(['c.name', 'c.interval_s', 'c.created_at'])
    .execute()
  return rows.map((row) => ({
    name: row.name,
    interval: row.interval_s,
    since: Number(row.ended_at ?? row.created_at),
  }))
}

/** How many configurations that are not paused have a newest snapshot that was not verified because of an error. */
export async function countUnverified(db: Queryable): Promise<number> {
  const failed = new Set((await loadNewestGoodAttempts(db)).flatMap((each) => (each.verify_error ? [each.name] : [])))
  if (failed.size === 0) return 0
  const rows = await db
    .selectFrom('snapshot_configurations')
    .select('name')
    .where('paused', '=', 0)
    .where('verify', '!=', 'none')
    .execute()
  return rows.filter(({ name }) => failed.has(name)).length
}

/** How many configurations are paused, by hand or since they were restored from another installation. */
export async function countPaused(db: Queryable): Promise<number> {
  const { count } = await db
    .selectFrom('snapshot_configurations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('paused', '!=', 0)
    .executeTakeFirstOrThrow()
  return Number(count)
}
