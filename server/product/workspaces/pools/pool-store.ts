import { bit } from '../../../storage/bits.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { type AgentPool, type PoolWorkspace, scopeKinds, toPool } from '../workspaces/index.ts'
import { type PoolScopes, type PoolSort, scopeNames } from './pool.ts'

/** A pool of executors. */
interface AgentPoolRow {
  id: string
  organization_id: string
  name: string
  organization_scoped: number
  created_at: number
}

/** Who may use a pool that is not open to all, and who may not use one that is. */
interface AgentPoolScopeRow {
  pool_id: string
  /** `allowed-workspace`, `allowed-project` or `excluded-workspace`. */
  kind: string
  target_id: string
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    agent_pools: AgentPoolRow
    agent_pool_scopes: AgentPoolScopeRow
  }
}

/** A pool by its id. */
export async function loadPool(db: Queryable, id: string): Promise<AgentPool | undefined> {
  const row = await db.selectFrom('agent_pools').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toPool(row)
}

/** All pools of an organization, by name unless told otherwise. */
export async function listPools(db: Queryable, organizationId: string, sort?: PoolSort): Promise<AgentPool[]> {
  const rows = await db
    .selectFrom('agent_pools')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy(sort?.key === 'created-at' ? 'created_at' : 'name', sort?.descending ? 'desc' : 'asc')
    .orderBy('id', sort?.descending ? 'desc' : 'asc')
    .execute()
  return rows.map(toPool)
}

/** The workspace of this name in an organization. */
export async function findPoolWorkspace(
  db: Queryable,
  organizationId: string,
  name: string,
): Promise<PoolWorkspace | undefined> {
  return await db
    .selectFrom('workspaces')
    .select(['id', 'project_id as projectId', 'name'])
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .executeTakeFirst()
}

/** The projects with these ids. */
export async function loadScopeProjects(
  db: Queryable,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly organizationId: string }[]> {
  return await db
    .selectFrom('projects')
    .where('id', 'in', ids)
    .select(['id', 'organization_id as organizationId'])
    .execute()
}

/** Stores a new pool; a taken name is a unique violation. */
export async function insertPool(tx: Tx, pool: AgentPool): Promise<void> {
  await tx
    .insertInto('agent_pools')
    .values({
      id: pool.id,
      organization_id: pool.organizationId,
      name: pool.name,
      organization_scoped: bit(pool.organizationScoped),
      created_at: pool.createdAt,
    })
    .execute()
}

/** Stores what changed about a pool; a taken name is a unique violation. */
export async function updatePool(
  tx: Tx,
  id: string,
  { name, organizationScoped }: Partial<Pick<AgentPool, 'name' | 'organizationScoped'>>,
): Promise<void> {
  // Naming a column to itself keeps the statement valid when nothing but lists changes.
  await tx
    .updateTable('agent_pools')
    .set((eb) => ({
      name: name ?? eb.ref('name'),
      organization_scoped:
        organizationScoped === undefined ? eb.ref('organization_scoped') : Number(organizationScoped),
    }))
    .where('id', '=', id)
    .execute()
}

/** Replaces those lists of a pool that are given. */
export async function replaceScopes(tx: Tx, poolId: string, scopes: Partial<PoolScopes>): Promise<void> {
  for (const name of scopeNames) {
    const targets = scopes[name]
    if (targets === undefined) continue
    const kind = scopeKinds[name]
    await tx.deleteFrom('agent_pool_scopes').where('pool_id', '=', poolId).where('kind', '=', kind).execute()
    const rows = [...new Set(targets)].map((target_id) => ({ pool_id: poolId, kind, target_id }))
    if (rows.length > 0) await tx.insertInto('agent_pool_scopes').values(rows).execute()
  }
}

/** Removes a workspace or a project from the scopes of all pools. */
export async function deleteScopesOf(tx: Tx, targetId: string): Promise<void> {
  await tx.deleteFrom('agent_pool_scopes').where('target_id', '=', targetId).execute()
}

/** Waits for requests that change a pool or begin to use it, and blocks new ones; false when it is gone. */
export async function lockPoolForUpdate(tx: Tx, id: string): Promise<boolean> {
  const held = await tx.selectFrom('agent_pools').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return held !== undefined
}

/** Removes a pool that nothing uses; false when something does. `lockPoolForUpdate` must have been called before. */
export async function deleteUnusedPool(tx: Tx, id: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('agent_pools')
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('workspaces').select('workspaces.id').where('agent_pool_id', '=', id))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('projects').select('projects.id').where('default_agent_pool_id', '=', id))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('organizations').select('organizations.id').where('default_agent_pool_id', '=', id))),
    )
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}
