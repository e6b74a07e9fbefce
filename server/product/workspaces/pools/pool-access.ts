import { canInOrganization, onResource, type PermittedResource } from '../../../access/permissions/index.ts'
import { isId } from '../../../kernel/ids.ts'
import type { Access } from '../../../kit/endpoint.ts'
import { type PoolDetails, withDetails } from '../workspaces/index.ts'
import { loadPool } from './pool-store.ts'

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
