import { sql } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import type { Queryable, Tx } from '../../storage/open.ts'
import type { Progress, Removal, RemovalKey, RemovalKind } from './removal.ts'

/** Something that is gone for everybody, and whose rows are being removed. Snapshots have it, so a restore goes on. */
interface RemovalRow {
  kind: string
  subject_id: string
  name: string
  requested_by: string
  requested_at: number
  rows_left: number
  payload: string
  last_error: string | null
}

declare module '../../storage/tables.ts' {
  interface DescribedTables {
    removals: RemovalRow
  }
}

/** Stores a removal, in the transaction that hides the thing. If there is one for it already, this one takes its place. */
export async function saveRemoval(tx: Tx, removal: Omit<Removal, 'lastError'>): Promise<void> {
  const columns = {
    name: removal.name,
    requested_by: removal.requestedBy,
    requested_at: removal.requestedAt,
    rows_left: removal.rowsLeft,
    payload: JSON.stringify(removal.payload ?? null),
    last_error: null,
  }
  await tx
    .insertInto('removals')
    .values({ kind: removal.kind, subject_id: removal.subjectId, ...columns })
    .onConflict((conflict) => conflict.columns(['kind', 'subject_id']).doUpdateSet(columns))
    .execute()
}

/** The removals of these kinds that have not ended, the oldest first. */
export async function loadRemovals(db: Queryable, kinds: readonly RemovalKind[]): Promise<Removal[]> {
  if (kinds.length === 0) return []
  const rows = await db
    .selectFrom('removals')
    .selectAll()
    .where('kind', 'in', kinds)
    .orderBy('requested_at')
    .orderBy('subject_id')
    .execute()
  return rows.map(toRemoval)
}

/** The ids of what is gone for everybody, for conditions with `not in`. */
export const removedIds = (db: Queryable, kind: RemovalKind) =>
  db.selectFrom('removals').select('subject_id').where('kind', '=', sql.lit(kind))

/** A removal, which nobody else works on before the transaction ends; undefined when it has ended. */
export async function lockRemovalForUpdate(tx: Tx, key: RemovalKey): Promise<Removal | undefined> {
  const row = await tx
    .selectFrom('removals')
    .selectAll()
    .where('kind', '=', key.kind)
    .where('subject_id', '=', key.subjectId)
    .forUpdate()
    .executeTakeFirst()
  return row && toRemoval(row)
}

/** Stores how far a removal is, or that it has ended. */
export async function saveProgress(tx: Tx, key: RemovalKey, { left, payload }: Progress): Promise<void> {
  if (left <= 0) {
    await tx.deleteFrom('removals').where('kind', '=', key.kind).where('subject_id', '=', key.subjectId).execute()
    return
  }
  await tx
    .updateTable('removals')
    .set({
      rows_left: left,
      last_error: null,
      ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
    })
    .where('kind', '=', key.kind)
    .where('subject_id', '=', key.subjectId)
    .execute()
}

/** Stores why a batch could not be removed. */
export async function saveProblem(db: Queryable, key: RemovalKey, lastError: string): Promise<void> {
  await db
    .updateTable('removals')
    .set({ last_error: lastError })
    .where('kind', '=', key.kind)
    .where('subject_id', '=', key.subjectId)
    .execute()
}

const toRemoval = (row: RemovalRow): Removal => ({
  kind: row.kind as RemovalKind,
  subjectId: row.subject_id,
  name: row.name,
  requestedBy: row.requested_by,
  requestedAt: row.requested_at as Instant,
  rowsLeft: row.rows_left,
  payload: JSON.parse(row.payload),
  lastError: row.last_error,
})
