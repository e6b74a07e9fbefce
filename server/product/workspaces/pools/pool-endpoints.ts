import {
  canSeeWorkspace,
  inOrganization,
  type OrganizationGrants,
  organizationInPath,
} from '../../../access/permissions/index.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import {
  type AnswerExtras,
  answerCreated,
  answerOne,
  answerPage,
  documentSchema,
  entriesOn,
  pageSchema,
  type Resource,
  requireSameId,
  showQuery,
} from '../../../kit/jsonapi/index.ts'
import { nothing } from '../../../kit/reply.ts'
import { batchesOf } from '../../../storage/batches.ts'
import {
  loadWorkspaces,
  type PoolDetails,
  renderWorkspaces,
  toPoolResource,
  type VisiblePool,
  visiblePool,
  withDetails,
} from '../workspaces/index.ts'
import { byId, onPool } from './pool-access.ts'
import { changePool, createPool, removePool } from './pool-actions.ts'
import { isUsableBy, matchesFilter } from './pool-rules.ts'
import { findPoolWorkspace, listPools } from './pool-store.ts'
import { changedPoolBody, newPoolBody, poolIncludes, poolSchema, poolsQuery, toScopes } from './pool-wire.ts'

type ReadCall = Parameters<typeof renderWorkspaces>[0] & { readonly query: { readonly include: ReadonlySet<string> } }

/** The workspaces that use these pools, if they are asked for and the caller may see them. */
async function loadIncluded(
  call: ReadCall,
  grants: OrganizationGrants,
  pools: readonly VisiblePool[],
): Promise<AnswerExtras> {
  if (!call.query.include.has('workspaces')) return {}
  const ids = pools.flatMap(({ workspaces }) => workspaces.map(({ id }) => id))
  const included: Resource[] = []
  // Documents of workspaces show what other tables hold about them, which is looked up by their ids.
  for (const batch of batchesOf(ids)) {
    const workspaces = await loadWorkspaces(call.deps.db, batch)
    included.push(...(await renderWorkspaces(call, grants, workspaces)))
  }
  return { included }
}

/** Tells which pools a workspace may use; callers who cannot see the workspace learn nothing about it. */
async function usableBy(
  { db }: Pick<Deps, 'db'>,
  grants: OrganizationGrants,
  name: string | undefined,
): Promise<(pool: PoolDetails) => boolean> {
  if (name === undefined) return () => true
  const found = await findPoolWorkspace(db, grants.organizationId, name)
  const workspace = found && canSeeWorkspace(grants, found) ? found : undefined
  return (pool) => isUsableBy(pool, workspace)
}

/** Pools of executors. */
export const poolEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'agent-pools.list',
    route: 'GET /organizations/:organization/agent-pools',
    summary: 'List the agent pools of an organization.',
    access: inOrganization('can-traverse'),
    params: organizationInPath,
    query: poolsQuery,
    returns: { 200: pageSchema(poolSchema) },
    fails: ['missing', 'malformed'],
    handle: async (call) => {
      const { subject: grants, query, deps } = call
      const pools = await withDetails(deps.db, await listPools(deps.db, grants.organizationId, query.sort))
      const usable = await usableBy(deps, grants, query.workspaceName)
      const visible = pools.filter(usable).map((pool) => visiblePool(grants, pool))
      const wanted = visible.filter((pool) => matchesFilter(pool, query))
      const page = entriesOn(query.page, wanted)
      const resources = page.map(toPoolResource)
      return answerPage(call, { resources, total: wanted.length }, await loadIncluded(call, grants, page))
    },
  }),
  endpoint({
    id: 'agent-pools.create',
    route: 'POST /organizations/:organization/agent-pools',
    summary: 'Create an agent pool.',
    access: inOrganization('can-update-agent-pools'),
    params: organizationInPath,
    query: showQuery(),
    body: newPoolBody,
    returns: { 201: documentSchema(poolSchema) },
    fails: ['missing', 'invalid'],
    example: { request: { data: { type: 'agent-pools', attributes: { name: 'on-premises' } } } },
    handle: async (call) => {
      const asked = { ...call.body.attributes, ...toScopes(call.body.relationships) }
      const made = await createPool(call.deps, authorOf(call), call.subject, asked)
      return answerCreated(call, toPoolResource(visiblePool(call.subject, made)))
    },
  }),
  endpoint({
    id: 'agent-pools.show',
    route: 'GET /agent-pools/:poolId',
    summary: 'Read an agent pool.',
    access: onPool('can-traverse'),
    params: byId,
    query: showQuery({ include: poolIncludes }),
    returns: { 200: documentSchema(poolSchema) },
    fails: ['missing', 'malformed'],
    handle: async (call) => {
      const { grants, resource } = call.subject
      const pool = visiblePool(grants, resource)
      return answerOne(call, toPoolResource(pool), await loadIncluded(call, grants, [pool]))
    },
  }),
  endpoint({
    id: 'agent-pools.update',
    route: 'PATCH /agent-pools/:poolId',
    summary: 'Change an agent pool; lists in the request replace the existing ones.',
    access: onPool('can-update-agent-pools'),
    params: byId,
    query: showQuery(),
    body: changedPoolBody,
    returns: { 200: documentSchema(poolSchema) },
    fails: ['missing', 'invalid', 'conflict'],
    handle: async (call) => {
      const { resource, grants } = call.subject
      requireSameId(call.body, resource.id)
      const asked = { ...call.body.attributes, ...toScopes(call.body.relationships) }
      const changed = await changePool(call.deps, authorOf(call), { grants, id: resource.id }, asked)
      return answerOne(call, toPoolResource(visiblePool(grants, changed)))
    },
  }),
  endpoint({
    id: 'agent-pools.delete',
    route: 'DELETE /agent-pools/:poolId',
    summary: 'Delete an agent pool that is not in use.',
    access: onPool('can-update-agent-pools'),
    params: byId,
    returns: { 204: null },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      await removePool(call.deps, authorOf(call), call.subject.resource)
      return nothing()
    },
  }),
])
