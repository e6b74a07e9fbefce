import {
  canInOrganization,
  canOnProject,
  canSeeWorkspace,
  hidden,
  type OrganizationGrants,
  onResource,
  type PermittedResource,
} from '../../../access/permissions/index.ts'
import { type Fault, failure } from '../../../kernel/failure.ts'
import { isId } from '../../../kernel/ids.ts'
import { type Author, type Members, recordChange, recordUpdate } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Access } from '../../../kit/endpoint.ts'
import { invalidAttribute, requireNoFaults } from '../../../kit/jsonapi/index.ts'
import { unlessTaken } from '../../../storage/database-errors.ts'
import type { Queryable } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { type AgentPool, loadWorkspaces, type PoolDetails, withDetails } from '../workspaces/index.ts'
import { noScopes, type PoolScopes } from './pool.ts'
import {
  deleteUnusedPool,
  insertPool,
  loadPool,
  loadScopeProjects,
  lockPoolForUpdate,
  replaceScopes,
  updatePool,
} from './pool-store.ts'

type PoolDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store'>

/** The members of a pool that a request sends; absent ones stay. */
type RequestedPool = Partial<Pick<AgentPool, 'name' | 'organizationScoped'> & PoolScopes>

const changeOf = (pool: AgentPool) => ({
  organizationId: pool.organizationId,
  subject: { type: 'agent-pools', id: pool.id, name: pool.name },
})

const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)

const describePool = (pool: PoolDetails): Members => ({
  name: pool.name,
  'organization-scoped': pool.organizationScoped,
  'allowed-workspaces': idsOf(pool.allowedWorkspaces),
  'allowed-projects': idsOf(pool.allowedProjects),
  'excluded-workspaces': idsOf(pool.excludedWorkspaces),
})

/** Entries of the lists that do not exist for the caller; those of another organization get the same fault. */
async function scopeFaults(
  db: Queryable,
  grants: OrganizationGrants,
  requested: Partial<PoolScopes>,
): Promise<Fault[]> {
  const workspaceIds = [...(requested.allowedWorkspaces ?? []), ...(requested.excludedWorkspaces ?? [])]
  const workspaces = (await loadWorkspaces(db, workspaceIds)).filter(
    (each) => each.organizationId === grants.organizationId && canSeeWorkspace(grants, each),
  )
  const projects = (await loadScopeProjects(db, requested.allowedProjects ?? [])).filter(
    ({ id, organizationId }) => organizationId === grants.organizationId && canOnProject(grants, 'can-read', id),
  )
  const known = new Set([...idsOf(workspaces), ...idsOf(projects)])
  const faults: Fault[] = []
  const check = (name: string, noun: string, ids: readonly string[] = []): void => {
    for (const [index, id] of ids.entries()) {
      const pointer = `/data/relationships/${name}/data/${index}/id`
      if (!known.has(id)) faults.push({ detail: `${noun} was not found in the organization`, pointer })
    }
  }
  check('allowed-workspaces', 'Workspace', requested.allowedWorkspaces)
  check('allowed-projects', 'Project', requested.allowedProjects)
  check('excluded-workspaces', 'Workspace', requested.excludedWorkspaces)
  return faults
}

async function loadPoolDetails(db: Queryable, id: string): Promise<PoolDetails> {
  const pool = await loadPool(db, id)
  const [details] = pool ? await withDetails(db, [pool]) : []
  if (!details) throw hidden()
  return details
}

/** Makes a pool. */
export async function createPool(
  deps: PoolDeps,
  author: Author,
  grants: OrganizationGrants,
  requested: RequestedPool & { readonly name: string },
): Promise<PoolDetails> {
  requireNoFaults(await scopeFaults(deps.db, grants, requested))
  const pool: AgentPool = {
    id: deps.ids.newId('apool'),
    organizationId: grants.organizationId,
    name: requested.name,
    organizationScoped: requested.organizationScoped ?? true,
    createdAt: deps.clock.now(),
  }
  return unlessTaken(nameTaken, () =>
    inTransaction(deps.db, async (tx) => {
      await insertPool(tx, pool)
      await replaceScopes(tx, pool.id, { ...noScopes, ...requested })
      const made = await loadPoolDetails(tx, pool.id)
      await recordChange(deps, tx, author, { ...changeOf(pool), action: 'create', after: describePool(made) })
      return made
    }),
  )
}

/** Changes a pool; lists that are sent replace those there were. */
export async function changePool(
  deps: PoolDeps,
  author: Author,
  { grants, id }: { readonly grants: OrganizationGrants; readonly id: string },
  requested: RequestedPool,
): Promise<PoolDetails> {
  requireNoFaults(await scopeFaults(deps.db, grants, requested))
  return unlessTaken(nameTaken, () =>
    inTransaction(deps.db, async (tx) => {
      // Concurrent changes wait for each other here, so that each sees what the other has left.
      if (!(await lockPoolForUpdate(tx, id))) throw hidden()
      const before = await loadPoolDetails(tx, id)
      await updatePool(tx, id, requested)
      await replaceScopes(tx, id, requested)
      const after = await loadPoolDetails(tx, id)
      const change = { ...changeOf(after), before: describePool(before), after: describePool(after) }
      await recordUpdate(deps, tx, author, change)
      return after
    }),
  )
}

/** Removes a pool that nothing uses. */
export async function removePool(deps: PoolDeps, author: Author, pool: AgentPool): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    if (!(await lockPoolForUpdate(tx, pool.id))) throw hidden()
    const before = await loadPoolDetails(tx, pool.id)
    if (!(await deleteUnusedPool(tx, pool.id))) {
      const text = 'The agent pool is in use by a workspace, or is the default of a project or the organization.'
      throw failure('invalid', 'agent-pool.in-use', text)
    }
    await recordChange(deps, tx, author, { ...changeOf(pool), action: 'delete', before: describePool(before) })
  })
}

const nameTaken = () => invalidAttribute('name', 'Name has already been taken', 'agent-pool.name-taken')

/** A pool in a path. */
export const byId = { poolId: { description: 'Identifier of the pool.', example: 'apool-1111111111111111' } }

/** Everybody in the organization can choose among its pools; managing them is a right of its own. */
export const onPool = (right: 'can-traverse' | 'can-update-agent-pools'): Access<PermittedResource<PoolDetails>> =>
  onResource({
    name: `organization:${right}`,
    load: async ({ deps, params: { poolId = '' } }) => {
      const pool = isId('apool', poolId) ? await loadPool(deps.db, poolId) : undefined
      return pool && (await withDetails(deps.db, [pool]))[0]
    },
    allows: (grants) => canInOrganization(grants, right),
  })
