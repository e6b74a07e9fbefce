import { toIso } from '../../../kernel/clock.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, model, Type } from '../../../kit/endpoint.ts'
import { loadRemovals, type Removal } from '../../../kit/removals/index.ts'
import { data } from '../../../kit/reply.ts'

const RemovalInfo = model('SystemRemoval', {
  kind: Type.String({ description: '`mount` or `tokens`.' }),
  id: Type.String({ description: 'Identifies the removal among those of its kind.' }),
  name: Type.String({ description: 'The path of the mount, or which tokens are removed.' }),
  requested_by: Type.String({ description: 'Display name of the token that asked for it.' }),
  requested_at: Type.String({ description: 'When it was asked for.' }),
  rows_left: Type.Integer({ description: 'About how many rows are left.' }),
  last_error: Type.String({ description: 'Why the last try failed; empty if it did not.' }),
})

const infoOf = (removal: Removal): Record<string, unknown> => ({
  kind: removal.kind,
  id: removal.subjectId,
  name: removal.name,
  requested_by: removal.requestedBy,
  requested_at: toIso(removal.requestedAt),
  rows_left: removal.rowsLeft,
  last_error: removal.lastError ?? '',
})

/** How far the removals of mounts and tokens are. */
export const removalEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    id: 'removals.read',
    route: 'GET /removals',
    summary: 'List the mounts and tokens that are gone and whose rows are still being removed, the oldest first.',
    access: acl({ sudo: true }),
    returns: { 200: Type.Object({ removals: Type.Array(RemovalInfo) }) },
    handle: async ({ deps }) => data({ removals: (await loadRemovals(deps.db, ['mount', 'tokens'])).map(infoOf) }),
  }),
])
