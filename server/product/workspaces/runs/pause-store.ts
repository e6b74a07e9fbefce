import type { Tx } from '../../../storage/open.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import type { Pause } from './fleet-store.ts'

/** Begins a pause; false if there is one already. */
export async function insertPause(tx: Tx, { reason, by, since }: Pause): Promise<boolean> {
  const result = await tx
    .insertInto('run_pauses')
    .values({ site: 'all', reason, paused_by: by, since })
    .onConflict((conflict) => conflict.column('site').doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
}

/** Ends the pause; false if there is none. Runners that wait look again. */
export async function deletePause(tx: Tx): Promise<boolean> {
  const result = await tx.deleteFrom('run_pauses').executeTakeFirst()
  bumpVersion(tx, 'runs')
  return Number(result.numDeletedRows) > 0
}
