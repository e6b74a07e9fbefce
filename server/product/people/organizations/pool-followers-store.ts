import type { Queryable, Tx } from '../../../storage/open.ts'
import type { ExecutionMode } from './execution-modes.ts'
import type { OrganizationDefaults } from './organization.ts'
import type { SomeNames } from './pool-followers.ts'

const mostNamed = 3

const someNames = (rows: readonly { readonly name: string; readonly total: number }[]): SomeNames => ({
  names: rows.map(({ name }) => name),
  total: Number(rows[0]?.total ?? 0),
})

/**
 * The workspaces of an organization or project that are in agent mode by their own choice and use the default agent
 * pool. Projects with a pool of their own do not follow the organization.
 */
export async function loadPoolFollowers(
  db: Queryable,
  within: { readonly organizationId: string } | { readonly projectId: string },
): Promise<SomeNames> {
  const followers = db
    .selectFrom('workspaces')
    .innerJoin('projects', 'projects.id', 'workspaces.project_id')
    .select(({ fn }) => ['workspaces.name', fn.countAll<number>().over().as('total')])
    .where('workspaces.overwrites_execution_mode', '=', 1)
    .where('workspaces.execution_mode', '=', 'agent')
    .where('workspaces.overwrites_agent_pool', '=', 0)
    .orderBy('workspaces.name')
    .limit(mostNamed)
  const here =
    'projectId' in within
      ? followers.where('workspaces.project_id', '=', within.projectId)
      : followers
          .where('workspaces.organization_id', '=', within.organizationId)
          .where('projects.overwrites_agent_pool', '=', 0)
  return someNames(await here.execute())
}

/** The projects of an organization whose own default is agent mode with the pool of the organization. */
export async function loadFollowingProjects(db: Queryable, organizationId: string): Promise<SomeNames> {
  const rows = await db
    .selectFrom('projects')
    .select(({ fn }) => ['name', fn.countAll<number>().over().as('total')])
    .where('organization_id', '=', organizationId)
    .where('overwrites_execution_mode', '=', 1)
    .where('default_execution_mode', '=', 'agent')
    .where('overwrites_agent_pool', '=', 0)
    .orderBy('name')
    .limit(mostNamed)
    .execute()
  return someNames(rows)
}

/** Blocks requests that begin to use the default pool of an organization; those under way end first. */
export async function lockDefaultPoolForUpdate(tx: Tx, organizationId: string): Promise<void> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forUpdate().execute()
}

/** The defaults of an organization, which cannot change before the transaction ends. */
export async function lockDefaultPoolForShare(
  tx: Tx,
  organizationId: string,
): Promise<OrganizationDefaults | undefined> {
  const row = await tx
    .selectFrom('organizations')
    .select(['default_execution_mode', 'default_agent_pool_id'])
    .where('id', '=', organizationId)
    .forShare()
    .executeTakeFirst()
  if (!row) return undefined
  return {
    defaultExecutionMode: row.default_execution_mode as ExecutionMode,
    defaultAgentPoolId: row.default_agent_pool_id,
  }
}
