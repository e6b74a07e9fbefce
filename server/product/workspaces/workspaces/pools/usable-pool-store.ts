import type { Instant } from '../../../../kernel/clock.ts'
import type { Id } from '../../../../kernel/ids.ts'
import type { Queryable } from '../../../../storage/open.ts'
import type { DescribedTables } from '../../../../storage/tables.ts'
import type { AgentPool, PoolDetails, PoolWorkspace } from './usable-pool.ts'

/** How the lists of a pool are stored. */
export const scopeKinds = {
  allowedWorkspaces: 'allowed-workspace',
  allowedProjects: 'allowed-project',
  excludedWorkspaces: 'excluded-workspace',
} as const

/** A pool as its row keeps it. */
export const toPool = (row: DescribedTables['agent_pools']): AgentPool => ({
  id: row.id as Id<'apool'>,
  organizationId: row.organization_id,
  name: row.name,
  organizationScoped: row.organization_scoped === 1,
  createdAt: row.created_at as Instant,
})

/** The pools with these ids. */
export async function loadPools(db: Queryable, ids: readonly string[]): Promise<AgentPool[]> {
  if (ids.length === 0) return []
  return (await db.selectFrom('agent_pools').selectAll().where('id', 'in', ids).execute()).map(toPool)
}

type Linked = PoolWorkspace & { readonly poolId: string; readonly kind: string }

async function scopedWorkspaces(db: Queryable, poolIds: readonly string[]): Promise<Linked[]> {
  return await db
    .selectFrom('agent_pool_scopes as scope')
    .innerJoin('workspaces', 'workspaces.id', 'scope.target_id')
    .where('scope.pool_id', 'in', poolIds)
    .where('scope.kind', 'in', [scopeKinds.allowedWorkspaces, scopeKinds.excludedWorkspaces])
    .select(['scope.pool_id as poolId', 'scope.kind', 'workspaces.id', 'workspaces.project_id as projectId'])
    .select('workspaces.name')
    .orderBy('workspaces.name')
    .execute()
}

async function scopedProjects(db: Queryable, poolIds: readonly string[]) {
  return await db
    .selectFrom('agent_pool_scopes as scope')
    .innerJoin('projects', 'projects.id', 'scope.target_id')
    .where('scope.pool_id', 'in', poolIds)
    .where('scope.kind', '=', scopeKinds.allowedProjects)
    .select(['scope.pool_id as poolId', 'projects.id', 'projects.name'])
    .orderBy('projects.name')
    .execute()
}

async function usingWorkspaces(db: Queryable, poolIds: readonly string[]): Promise<Linked[]> {
  const rows = await db
    .selectFrom('workspaces')
    .where('agent_pool_id', 'in', poolIds)
    .select(['agent_pool_id', 'id', 'project_id as projectId', 'name'])
    .orderBy('name')
    .execute()
  return rows.map(({ agent_pool_id, ...rest }) => ({ ...rest, poolId: agent_pool_id ?? '', kind: 'using' }))
}

/** How many runners these pools have that did not say goodbye; those that are silent for long are forgotten. */
async function countAgents(db: Queryable, poolIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('runners')
    .where('pool_id', 'in', poolIds)
    .where('status', '=', 'online')
    .groupBy('pool_id')
    .select(({ fn }) => ['pool_id', fn.countAll<number>().as('agents')])
    .execute()
  return new Map(rows.map((row) => [row.pool_id ?? '', Number(row.agents)]))
}

/** Adds the lists of pools, their runners and the workspaces that use them: a few queries, however many pools. */
export async function withDetails(db: Queryable, pools: readonly AgentPool[]): Promise<PoolDetails[]> {
  if (pools.length === 0) return []
  const ids = pools.map(({ id }) => id)
  const workspaces = [...(await scopedWorkspaces(db, ids)), ...(await usingWorkspaces(db, ids))]
  const projects = await scopedProjects(db, ids)
  const agents = await countAgents(db, ids)
  const keyOf = (poolId: string, kind: string): string => `${poolId} ${kind}`
  const byPool = Map.groupBy(workspaces, ({ poolId, kind }) => keyOf(poolId, kind))
  const projectsByPool = Map.groupBy(projects, ({ poolId }) => poolId)
  const linked = (poolId: string, kind: string): readonly PoolWorkspace[] => byPool.get(keyOf(poolId, kind)) ?? []
  return pools.map((pool) => ({
    ...pool,
    allowedWorkspaces: linked(pool.id, scopeKinds.allowedWorkspaces),
    allowedProjects: projectsByPool.get(pool.id) ?? [],
    excludedWorkspaces: linked(pool.id, scopeKinds.excludedWorkspaces),
    workspaces: linked(pool.id, 'using'),
    agentCount: agents.get(pool.id) ?? 0,
  }))
}

/** The workspace that is to use a pool; it has no id yet while it is being created. */
type PoolUser = {
  readonly organizationId: string
  readonly projectId: string
  readonly workspaceId: string | undefined
}

/**
 * True if the pool belongs to the organization and lets this workspace use it; an exclusion wins over any permission.
 */
export async function mayUsePool(db: Queryable, poolId: string, user: PoolUser): Promise<boolean> {
  const pool = await db
    .selectFrom('agent_pools')
    .select('organization_scoped')
    .where('id', '=', poolId)
    .where('organization_id', '=', user.organizationId)
    .executeTakeFirst()
  if (!pool) return false
  const rows = await db
    .selectFrom('agent_pool_scopes')
    .select('kind')
    .where('pool_id', '=', poolId)
    .where('target_id', 'in', [user.projectId, ...(user.workspaceId === undefined ? [] : [user.workspaceId])])
    .execute()
  const kinds = new Set(rows.map((row) => row.kind))
  if (kinds.has(scopeKinds.excludedWorkspaces)) return false
  return (
    pool.organization_scoped === 1 || kinds.has(scopeKinds.allowedWorkspaces) || kinds.has(scopeKinds.allowedProjects)
  )
}
