import { type Instant, later } from '../../../kernel/clock.ts'
import type { Queryable } from '../../../storage/open.ts'
import type { FleetTools } from './creation.ts'
import { finalStatuses } from './run-words.ts'

/** The runners that may take a job: those of a pool, or the built-in ones. */
export type Fleet = {
  readonly online: number
  /** How many of them have as many jobs as they take. */
  readonly busy: number
  /** When one of them last gave a sign of life; null if none ever has. */
  readonly lastSeenAt: Instant | null
}

/** The name by which fleets are found: the pool, or nothing for the built-in runners. */
export const fleetKey = ({ poolId }: { readonly poolId: string | null }): string => poolId ?? ''

/** A runner that was silent for so long is not counted on, in milliseconds. */
const silence = 60_000

/** The runners of these pools, and the built-in ones. */
export async function loadFleets(
  db: Queryable,
  poolIds: readonly string[],
  now: Instant,
): Promise<ReadonlyMap<string, Fleet>> {
  const rows = await db
    .selectFrom('runners')
    .leftJoin('run_jobs as job', (join) =>
      join.onRef('job.runner_id', '=', 'runners.id').on('job.ended_at', 'is', null),
    )
    .where(({ or, eb }) =>
      or([eb('runners.pool_id', 'is', null), ...(poolIds.length > 0 ? [eb('runners.pool_id', 'in', poolIds)] : [])]),
    )
    .groupBy(['runners.id', 'runners.pool_id', 'runners.status', 'runners.last_seen_at', 'runners.max_jobs'])
    .select(['runners.pool_id', 'runners.status', 'runners.last_seen_at', 'runners.max_jobs'])
    .select(({ fn }) => fn.count<number>('job.id').as('jobs'))
    .execute()
  const fleets = new Map<string, Fleet>()
  for (const row of rows) {
    const key = fleetKey({ poolId: row.pool_id })
    const before = fleets.get(key) ?? { online: 0, busy: 0, lastSeenAt: null }
    const isOnline = row.status === 'online' && now - row.last_seen_at <= silence
    const isBusy = isOnline && Number(row.jobs) >= row.max_jobs
    fleets.set(key, {
      online: before.online + (isOnline ? 1 : 0),
      busy: before.busy + (isBusy ? 1 : 0),
      lastSeenAt: Math.max(before.lastSeenAt ?? 0, row.last_seen_at) as Instant,
    })
  }
  return fleets
}

/** The tools that can be had in a pool, or from the built-in runners; undefined while no runner is there. */
export async function loadFleetTools(
  db: Queryable,
  poolId: string | null,
  now: Instant,
): Promise<FleetTools | undefined> {
  const rows = await db
    .selectFrom('runners')
    .where('pool_id', poolId === null ? 'is' : '=', poolId)
    .where('status', '=', 'online')
    .where('last_seen_at', '>=', later(now, -silence))
    .select(['tools', 'capabilities'])
    .execute()
  if (rows.length === 0) return undefined
  const told = rows.flatMap(({ tools }) => JSON.parse(tools) as { readonly name: string; readonly version: string }[])
  const tools = told.map(({ name, version }) => ({ tool: name, version, beta: false }))
  return { tools, fetches: rows.some(({ capabilities }) => JSON.parse(capabilities).includes('catalogue')) }
}

/** How many runners are there that may execute runs of an organization: those of its pools, and the built-in ones. */
export async function countOnline(db: Queryable, organizationId: string, now: Instant): Promise<number> {
  const row = await db
    .selectFrom('runners')
    .leftJoin('agent_pools as pool', 'pool.id', 'runners.pool_id')
    .where(({ or, eb }) => or([eb('runners.pool_id', 'is', null), eb('pool.organization_id', '=', organizationId)]))
    .where('runners.status', '=', 'online')
    .where('runners.last_seen_at', '>=', later(now, -silence))
    .select(({ fn }) => fn.countAll<number>().as('online'))
    .executeTakeFirst()
  return Number(row?.online ?? 0)
}

/** How many runs of an organization are executed, and may be; 0 for any number. */
export type Concurrency = { readonly running: number; readonly speculative: number; readonly limit: number }

/** The same for these organizations. */
export async function loadConcurrency(
  db: Queryable,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<string, Concurrency>> {
  if (organizationIds.length === 0) return new Map()
  const limits = await db
    .selectFrom('organizations')
    .select(['id', 'run_concurrency'])
    .where('id', 'in', organizationIds)
    .execute()
  const counts = await db
    .selectFrom('runs')
    .where('organization_id', 'in', organizationIds)
    .where('status', 'not in', finalStatuses)
    .where('status', 'in', ['planning', 'applying'])
    .groupBy('organization_id')
    .select(['organization_id'])
    .select(({ fn }) => [
      fn.countAll<number>().as('running'),
      fn.countAll<number>().filterWhere('plan_only', '=', 1).as('speculative'),
    ])
    .execute()
  const byId = new Map(counts.map((row) => [row.organization_id, row]))
  return new Map(
    limits.map(({ id, run_concurrency: limit }) => {
      const row = byId.get(id)
      return [id, { running: Number(row?.running ?? 0), speculative: Number(row?.speculative ?? 0), limit }]
    }),
  )
}

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
