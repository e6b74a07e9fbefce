import { sql } from 'kysely'
import type { Instant } from '../../../../kernel/clock.ts'
import { removedIds } from '../../../../kit/removals/index.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import { updateWorkspaces } from '../workspace-store.ts'

/**
 * The ids of workspaces whose time has come, the longest overdue first. A time that was already past when it was set is
 * ignored.
 */
export async function listDue(db: Queryable, now: Instant, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('workspaces')
    .select('id')
    .where('auto_destroy_at', '<=', now)
    .where('auto_destroy_status', '=', 'scheduled')
    .where('organization_id', 'not in', removedIds(db, 'organization'))
    .orderBy('auto_destroy_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Gives the workspaces that follow their project a new time, counted from their last activity, or from now if it would
 * be past already. Without a duration they have none.
 */
export async function rescheduleFollowers(
  tx: Tx,
  projectId: string,
  { wait, now }: { readonly wait: number | null; readonly now: Instant },
): Promise<void> {
  const counted = sql<number>`case when current_state_version_id is not null and latest_change_at + ${wait} > ${now}
    then latest_change_at + ${wait} else ${(wait ?? 0) + now} end`
  await updateWorkspaces(
    tx,
    () => ({
      auto_destroy_at: wait === null ? null : counted,
      auto_destroy_status: wait === null ? null : 'scheduled',
    }),
    (eb) =>
      eb.and([
        eb('project_id', '=', projectId),
        eb.or([eb('inherits_project_auto_destroy', 'is', null), eb('inherits_project_auto_destroy', '=', 1)]),
      ]),
  )
}
