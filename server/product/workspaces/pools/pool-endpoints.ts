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
  attribute,
  changing,
  documentSchema,
  entriesOn,
  type Item,
  listQuery,
  pageSchema,
  parameter,
  type Resource,
  relation,
  requireSameId,
  resourceBody,
  resourceSchema,
  shown,
  showQuery,
} from '../../../kit/jsonapi/index.ts'
import { nothing } from '../../../kit/reply.ts'
import { rowChunksOf } from '../../../storage/row-chunks.ts'
import { answerNewToken, answerTokens, createTokenBase, listTokensBase } from '../../people/api-tokens/index.ts'
import {
  loadWorkspaces,
  type PoolDetails,
  renderWorkspaces,
  toPoolResource,
  type VisiblePool,
  visiblePool,
  withDetails,
} from '../workspaces/index.ts'
import { isUsableBy, matchesFilter, type PoolScopes, poolNameProblem, poolOrders, scopeNames } from './pool.ts'
import { byId, changePool, createPool, onPool, removePool } from './pool-actions.ts'
import { findPoolWorkspace, listPools } from './pool-store.ts'

const name = attribute.text('Name of the pool.', {
  required: true,
  maxLength: 90,
  check: poolNameProblem,
  example: 'on-premises',
})
const organizationScoped = attribute.flag('Whether every workspace may use it.', { default: true })

const relationships = {
  allowedWorkspaces: relation.items('workspaces', 'Workspaces that may use it, if not all may.'),
  allowedProjects: relation.items('projects', 'Projects whose workspaces may use it, if not all may.'),
  excludedWorkspaces: relation.items('workspaces', 'Workspaces that may not use it, even if their project may.'),
} as const

/** The body that makes a pool. */
const newPoolBody = resourceBody('agent-pools', { attributes: { name, organizationScoped }, relationships })

/** The body that changes a pool. */
const changedPoolBody = resourceBody('agent-pools', {
  attributes: changing({ name, organizationScoped }),
  relationships,
})

/** The lists that were sent, as ids. */
const toScopes = (sent: { readonly [K in keyof PoolScopes]?: readonly Item[] }): Partial<PoolScopes> =>
  Object.fromEntries(
    scopeNames.flatMap((each) => {
      const items = sent[each]
      return items === undefined ? [] : [[each, items.map(({ id }) => id ?? '')] as const]
    }),
  )

/** What a pool can be read with. */
const poolIncludes = ['workspaces'] as const

/** The query of the list. */
const poolsQuery = listQuery({
  include: poolIncludes,
  parameters: {
    text: parameter.text('q', 'Part of the name.'),
    workspaceName: parameter.text('filter[allowed-workspaces][name]', 'Only pools that the workspace may use.'),
    projectName: parameter.text('filter[allowed-projects][name]', 'Only pools that the project may use.'),
  },
  sort: poolOrders,
})

/** A pool as answers show it. */
const poolSchema = resourceSchema('agent-pools', {
  attributes: {
    name: shown.text('Name.'),
    'created-at': shown.time('When it was created.'),
    'organization-scoped': shown.flag('Whether every workspace may use it.'),
    'agent-count': shown.whole('Number of connected executors.'),
  },
  relationships: {
    organization: 'Its organization.',
    workspaces: 'Workspaces that use it by their own setting.',
    'allowed-workspaces': 'Workspaces that may use it.',
    'allowed-projects': 'Projects whose workspaces may use it.',
    'excluded-workspaces': 'Workspaces that may not use it.',
  },
})

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
  for (const batch of rowChunksOf(ids)) {
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
      const requested = { ...call.body.attributes, ...toScopes(call.body.relationships) }
      const made = await createPool(call.deps, authorOf(call), call.subject, requested)
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
      const requested = { ...call.body.attributes, ...toScopes(call.body.relationships) }
      const changed = await changePool(call.deps, authorOf(call), { grants, id: resource.id }, requested)
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

const onPoolTokens = onPool('can-update-agent-pools')

/** Tokens of executors. They are read and revoked like all other tokens. */
export const poolTokenEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    ...listTokensBase,
    id: 'agent-tokens.list',
    route: 'GET /agent-pools/:poolId/authentication-tokens',
    summary: 'List the tokens of an agent pool.',
    access: onPoolTokens,
    params: byId,
    handle: (call) => answerTokens(call, 'agent-pool', { type: 'agent-pools', id: call.subject.resource.id }),
  }),
  endpoint({
    ...createTokenBase,
    id: 'agent-tokens.create',
    route: 'POST /agent-pools/:poolId/authentication-tokens',
    summary: 'Create a token for the executors of an agent pool. It is shown only once and gives no other access.',
    access: onPoolTokens,
    params: byId,
    handle: (call) => {
      const { id, organizationId } = call.subject.resource
      const wanted = { owner: { kind: 'agent-pool', id }, organizationId, single: false } as const
      return answerNewToken(call, { type: 'agent-pools', id }, wanted)
    },
  }),
])
