import { toIso } from '../../../../kernel/clock.ts'
import { toMany, toOne } from '../../../../kit/jsonapi/resource-documents.ts'
import type { Resource } from '../../../../kit/jsonapi/schemas.ts'
import type { VisiblePool } from './usable-pool.ts'

const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)

/** A pool as a resource: what its callers may see of it. */
export const toPoolResource = (pool: VisiblePool): Resource => ({
  type: 'agent-pools',
  id: pool.id,
  attributes: {
    name: pool.name,
    'created-at': toIso(pool.createdAt),
    'organization-scoped': pool.organizationScoped,
    'agent-count': pool.agentCount,
  },
  relationships: {
    organization: toOne(
      'organizations',
      pool.seenBy.organizationName,
      `/api/v2/organizations/${pool.seenBy.organizationName}`,
    ),
    workspaces: toMany('workspaces', ids(pool.workspaces)),
    'allowed-workspaces': toMany('workspaces', ids(pool.allowedWorkspaces)),
    'allowed-projects': toMany('projects', ids(pool.allowedProjects)),
    'excluded-workspaces': toMany('workspaces', ids(pool.excludedWorkspaces)),
  },
  links: { self: `/api/v2/agent-pools/${pool.id}` },
})
