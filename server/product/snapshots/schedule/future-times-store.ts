import { type Instant, later } from '../../../kernel/clock.ts'
import type { Tx } from '../../../storage/open.ts'

/** What begins while this works may be a moment ahead of its time. */
const leeway = 60_000

/**
 * Replaces times in the future, which a clock that was wrong has left behind, by the present: otherwise the newest
 * snapshot would count as new until that time comes, however old it is.
 */
export async function bringBackTimes(tx: Tx, now: Instant): Promise<void> {
  const limit = later(now, leeway)
  await tx.updateTable('snapshot_status').set({ anchor: now }).where('anchor', '>', limit).execute()
  for (const column of ['started_at', 'ended_at', 'verified_at'] as const) {
    await tx
      .updateTable('snapshot_attempts')
      .set({ [column]: now })
      .where(column, '>', limit)
      .execute()
  }
}
