import { sql } from 'kysely'
import type { Instant } from '../../../kernel/clock.ts'
import { removedIds } from '../../../kit/removals/index.ts'
import type { Queryable } from '../../../storage/open.ts'
import type { Candidate } from './claim-order.ts'

/** Whose jobs are asked for: those of a pool, or those that the server itself executes. */
export type JobSource = { readonly poolId: string | null }

/** So many waiting jobs of one organization are looked at, so that one with many hides no other. */
const perOrganization = 20

/** Jobs that wait for a runner like this one. */
export async function listCandidates(db: Queryable, { poolId }: JobSource, now: Instant): Promise<Candidate[]> {
  const rank = sql<number>`case
    when runs.status = 'apply_queued' then 0
    when runs.queue_number is not null then 1
    when runs.plan_only = 0 or runs.updated_at < ${now - 10 * 60_000} then 2
    else 3 end`
  const waiting = db
    .selectFrom('runs')
    .innerJoin('organizations', 'organizations.id', 'runs.organization_id')
    .where('runs.status', 'in', ['plan_queued', 'apply_queued'])
    .where('organizations.remote_execution_enabled', '=', 1)
    .where('organizations.id', 'not in', removedIds(db, 'organization'))
    .where('runs.execution_mode', '=', poolId === null ? 'remote' : 'agent')
    .$if(poolId !== null, (query) => query.where('runs.agent_pool_id', '=', poolId))
    .select(['runs.id', 'runs.workspace_id', 'runs.organization_id', 'runs.status', 'runs.queue_number'])
    .select(['runs.plan_only', 'runs.trigger_reason', 'runs.updated_at'])
    .select(
      sql<number>`row_number() over (partition by runs.organization_id order by ${rank}, runs.updated_at, runs.id)`.as(
        'place',
      ),
    )
  const rows = await db
    .selectFrom(waiting.as('waiting'))
    .selectAll()
    .where('waiting.place', '<=', perOrganization)
    .execute()
  return rows.map((row) => ({
    runId: row.id,
    workspaceId: row.workspace_id,
    organizationId: row.organization_id,
    status: row.status as Candidate['status'],
    isBeside: row.queue_number === null,
    planOnly: row.plan_only === 1,
    triggerReason: row.trigger_reason,
    waitsSince: row.updated_at as Instant,
  }))
}
