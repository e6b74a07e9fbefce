import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { VisibleWorkspaces } from '../../../access/permissions/index.ts'
import type { Queryable } from '../../../storage/open.ts'
import { contains } from '../../../storage/search.ts'
import type { DescribedTables } from '../../../storage/tables.ts'
import type { Run } from './run.ts'
import type { Operation, RunFilter } from './run-list.ts'
import { toRun } from './run-store.ts'
import { finalStatuses } from './run-words.ts'

type Runs = ExpressionBuilder<DescribedTables, 'runs'>

const operations: Readonly<Record<Operation, (eb: Runs) => Expression<SqlBool>>> = {
  plan_only: (eb) => eb('plan_only', '=', 1),
  save_plan: (eb) => eb('save_plan', '=', 1),
  refresh_only: (eb) => eb('refresh_only', '=', 1),
  destroy: (eb) => eb('is_destroy', '=', 1),
  empty_apply: (eb) => eb('allow_empty_apply', '=', 1),
  action_only: (eb) => eb('invoke_action_addrs', 'is not', null),
  plan_and_apply: (eb) =>
    eb.and([
      eb('plan_only', '=', 0),
      eb('save_plan', '=', 0),
      eb('refresh_only', '=', 0),
      eb('is_destroy', '=', 0),
      eb('allow_empty_apply', '=', 0),
    ]),
}

function meets(eb: Runs, filter: RunFilter): Expression<SqlBool> {
  const { statuses, sources, operation, since, until, user, commit, basic, poolNames, workspaceNames } = filter
  const all: Expression<SqlBool>[] = []
  if (statuses) all.push(statuses.length > 0 ? eb('status', 'in', statuses) : sql<SqlBool>`1 = 0`)
  if (sources) all.push(eb('source', 'in', sources))
  if (operation)
    all.push(operation.length > 0 ? eb.or(operation.map((name) => operations[name](eb))) : sql<SqlBool>`1 = 0`)
  if (filter.hidesPlanOnly) all.push(eb('plan_only', '=', 0))
  if (since !== undefined) all.push(eb('created_at', '>=', since))
  if (until !== undefined) all.push(eb('created_at', '<', until))
  if (user !== undefined) all.push(eb.and([eb('created_by_kind', '=', 'user'), eb('created_by_name', '=', user)]))
  // Configurations that are uploaded come from no commit.
  if (commit !== undefined) all.push(sql<SqlBool>`1 = 0`)
  if (basic !== undefined)
    all.push(eb.or([eb('created_by_name', '=', basic), eb('id', '=', basic), contains('message', basic)]))
  if (poolNames) {
    const pools = eb.selectFrom('agent_pools').select('agent_pools.id').where('agent_pools.name', 'in', poolNames)
    all.push(eb('agent_pool_id', 'in', pools.whereRef('agent_pools.organization_id', '=', 'runs.organization_id')))
  }
  if (workspaceNames) {
    const named = eb.selectFrom('workspaces').select('workspaces.id').where('workspaces.name', 'in', workspaceNames)
    all.push(eb('workspace_id', 'in', named.whereRef('workspaces.organization_id', '=', 'runs.organization_id')))
  }
  return eb.and(all)
}

type Range = { readonly offset: number; readonly limit: number }

/** One page of the runs of a workspace, newest first, and how many there are. */
export async function listRuns(
  db: Queryable,
  workspaceId: string,
  filter: RunFilter,
  { offset, limit }: Range,
): Promise<{ runs: Run[]; total: number }> {
  const all = db
    .selectFrom('runs')
    .where('workspace_id', '=', workspaceId)
    .where((eb) => meets(eb, filter))
  const rows = await all.selectAll().orderBy('ordinal', 'desc').offset(offset).limit(limit).execute()
  const counted = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst()
  return { runs: rows.map(toRun), total: Number(counted?.total ?? 0) }
}

/** The newest runs of a workspace that were applied or failed. */
export async function listCounted(db: Queryable, workspaceId: string, limit: number): Promise<Run[]> {
  const rows = await db
    .selectFrom('runs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('status', 'in', ['applied', 'errored'])
    .where('plan_only', '=', 0)
    .orderBy('ordinal', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRun)
}

/** The newest run of each of these configuration versions. */
export async function listNewestOf(db: Queryable, versionIds: readonly string[]): Promise<Run[]> {
  if (versionIds.length === 0) return []
  const rows = await db
    .selectFrom('runs')
    .selectAll()
    .where('configuration_version_id', 'in', versionIds)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('runs as later')
            .select('later.id')
            .whereRef('later.configuration_version_id', '=', 'runs.configuration_version_id')
            .whereRef('later.created_at', '>', 'runs.created_at'),
        ),
      ),
    )
    .execute()
  return rows.map(toRun)
}

function isVisible(eb: Runs, visible: VisibleWorkspaces): Expression<SqlBool> {
  if (visible.kind === 'all') return sql<SqlBool>`1 = 1`
  const { projectIds, workspaceIds } = visible
  const ways: Expression<SqlBool>[] = []
  if (workspaceIds.length > 0) ways.push(eb('workspace_id', 'in', workspaceIds))
  if (projectIds.length > 0) {
    const inProjects = eb
      .selectFrom('workspaces')
      .select('workspaces.id')
      .where('workspaces.project_id', 'in', projectIds)
    ways.push(eb('workspace_id', 'in', inProjects))
  }
  return ways.length > 0 ? eb.or(ways) : sql<SqlBool>`1 = 0`
}

/** One page of the runs of an organization that somebody sees, newest first. */
export async function listOrganizationRuns(
  db: Queryable,
  of: { readonly organizationId: string; readonly visible: VisibleWorkspaces; readonly filter: RunFilter },
  { offset, limit }: Range,
): Promise<Run[]> {
  const rows = await db
    .selectFrom('runs')
    .selectAll()
    .where('organization_id', '=', of.organizationId)
    .where((eb) => eb.and([isVisible(eb, of.visible), meets(eb, of.filter)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  return rows.map(toRun)
}

/** The place of a run among those of its organization: running ones first, then by class and age. */
const rank = sql<number>`case
  when status in ('planning', 'applying') then 0
  when status = 'apply_queued' then 1
  when status = 'plan_queued' and queue_number is not null then 2
  when status = 'plan_queued' and save_plan = 1 then 3
  when status = 'plan_queued' then 4
  else 5 end`

const inQueue = ['planning', 'applying', 'apply_queued', 'plan_queued', 'pending', 'confirmed'] as const

/** One page of the runs of an organization that run or wait to, and how many of them somebody sees. */
export async function listQueue(
  db: Queryable,
  of: { readonly organizationId: string; readonly visible: VisibleWorkspaces },
  { offset, limit }: Range,
): Promise<{ runs: Run[]; total: number }> {
  const all = db
    .selectFrom('runs')
    .where('organization_id', '=', of.organizationId)
    .where('status', 'not in', finalStatuses)
    .where('status', 'in', inQueue)
    .where((eb) => isVisible(eb, of.visible))
  const rows = await all
    .selectAll()
    .orderBy(rank)
    .orderBy('created_at')
    .orderBy('id')
    .offset(offset)
    .limit(limit)
    .execute()
  const counted = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst()
  return { runs: rows.map(toRun), total: Number(counted?.total ?? 0) }
}

/** How many runs of an organization run, and how many wait to. */
export async function loadCapacity(db: Queryable, organizationId: string) {
  const row = await db
    .selectFrom('runs')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('status', 'in', ['planning', 'applying']).as('running'),
    ])
    .where('organization_id', '=', organizationId)
    .where('status', 'not in', finalStatuses)
    .where('status', 'in', inQueue)
    .executeTakeFirst()
  const running = Number(row?.running ?? 0)
  return { running, pending: Number(row?.all ?? 0) - running }
}

/**
 * The positions of those of these runs that wait behind others: the runs that run, and those that wait before it. A run
 * that is the first to wait has none, since clients take any other number for runs ahead.
 */
export async function positionsOf(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  const ordered = db
    .selectFrom('runs')
    .select(['id', rank.as('rank'), sql<number>`row_number() over (order by ${rank}, created_at, id)`.as('place')])
    .where('organization_id', '=', organizationId)
    .where('status', 'not in', finalStatuses)
    .where('status', 'in', inQueue)
  const rows = await db
    .selectFrom(ordered.as('ordered'))
    .select(['ordered.id', 'ordered.place'])
    .where('ordered.id', 'in', ids)
    .where('ordered.rank', '>', 0)
    .execute()
  const { running } = await loadCapacity(db, organizationId)
  return new Map(rows.flatMap(({ id, place }) => (Number(place) - 1 > running ? [[id, Number(place) - 1]] : [])))
}
