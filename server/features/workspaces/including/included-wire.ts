import { type Instant, toIso } from '../../../kernel/clock.ts'
import { type Resource, toOne } from '../../../kit/jsonapi/index.ts'
import type { AgentPoolRow } from '../../../storage/tables/organizations.ts'

/** A pool as it is included with the workspaces that use it. */
export const toIncludedPool = (pool: AgentPoolRow, organizationName: string): Resource => ({
  type: 'agent-pools',
  id: pool.id,
  attributes: {
    name: pool.name,
    'organization-scoped': pool.organization_scoped === 1,
    'created-at': toIso(pool.created_at as Instant),
  },
  relationships: { organization: toOne('organizations', organizationName) },
  links: { self: `/api/v2/agent-pools/${pool.id}` },
})
