import type { Instant } from '../../../kernel/clock.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { bumpVersion } from '../../../storage/versions.ts'

/** That nothing new is executed on this site. */
interface RunPauseRow {
  site: string
  reason: string
  paused_by: string
  since: number
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    run_pauses: RunPauseRow
  }
}

/** Who has paused all runs, since when and why. */
export type Pause = { readonly reason: string; readonly by: string; readonly since: Instant }

/** The pause that is in force, if any. */
export async function loadPause(db: Queryable): Promise<Pause | undefined> {
  const row = await db.selectFrom('run_pauses').selectAll().executeTakeFirst()
  return row && { reason: row.reason, by: row.paused_by, since: row.since as Instant }
}

/** Begins a pause; false if there is one already. */
export async function insertPause(tx: Tx, { reason, by, since }: Pause): Promise<boolean> {
  const result = await tx
    .insertInto('run_pauses')
    .values({ site: 'all', reason, paused_by: by, since })
    .onConflict((conflict) => conflict.column('site').doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
}

/** Ends the pause; false if there is none. */
export async function deletePause(tx: Tx): Promise<boolean> {
  const result = await tx.deleteFrom('run_pauses').executeTakeFirst()
  bumpVersion(tx, 'runs')
  return result.numDeletedRows > 0n
}
