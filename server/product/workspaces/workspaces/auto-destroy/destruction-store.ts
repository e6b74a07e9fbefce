import { type ExpressionBuilder, sql } from 'kysely'
import type { Instant } from '../../../../kernel/clock.ts'
import { removedIds } from '../../../../kit/removals/index.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import type { DescribedTables } from '../../../../storage/tables.ts'
import { letOthersRead } from '../../../../storage/transaction.ts'
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
  const follows = (eb: ExpressionBuilder<DescribedTables, 'workspaces'>) =>
    eb.or([eb('inherits_project_auto_destroy', 'is', null), eb('inherits_project_auto_destroy', '=', 1)])
  let next = await nextOf(tx, projectId, { created_at: 0, id: '' })
  for (; next.length > 0; next = await nextOf(tx, projectId, next.at(-1) as Place)) {
    const ids = next.map(({ id }) => id)
    await updateWorkspaces(
      tx,
      () => ({
        auto_destroy_at: wait === null ? null : counted,
        auto_destroy_status: wait === null ? null : 'scheduled',
      }),
      (eb) => eb.and([eb('id', 'in', ids), eb('project_id', '=', projectId), follows(eb)]),
    )
    await letOthersRead(tx)
  }
}

/** Where a workspace is in the order of its project. */
type Place = Pick<DescribedTables['workspaces'], 'created_at' | 'id'>

/** Workspaces that are rescheduled by one statement. */
const perStatement = 250

/** The next workspaces of a project after a place. */
const nextOf = (tx: Tx, projectId: string, { created_at, id }: Place): Promise<Place[]> =>
  tx
    .selectFrom('workspaces')
    .select(['created_at', 'id'])
    .where('project_id', '=', projectId)
    .where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(created_at, id)))
    .orderBy('created_at')
    .orderBy('id')
    .limit(perStatement)
    .execute()
