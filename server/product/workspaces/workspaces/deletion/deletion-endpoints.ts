import { authorOf } from '../../../../kit/change-log/index.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import { nothing } from '../../../../kit/reply.ts'
import { expectedRevision, ifMatchHeader } from '../document-actions.ts'
import { onWorkspace, workspaceAddresses } from '../workspace-access-actions.ts'
import { redirectIfRenamed } from '../workspace-endpoints.ts'
import { safeDeleteWorkspace } from './deletion-actions.ts'

/** Deleting workspaces that are safe to delete. */
export const deletionEndpoints: readonly Endpoint[] = defineEndpoints(
  'api/v2',
  workspaceAddresses.map(({ suffix, path, params, redirects }) =>
    endpoint({
      id: `workspaces.safe-delete${suffix}`,
      route: `POST ${path}/actions/safe-delete`,
      summary: 'Delete a workspace unless it is locked or manages resources.',
      access: onWorkspace('can-destroy'),
      params,
      headers: ifMatchHeader,
      returns: { 204: null, ...redirects },
      fails: ['missing', 'conflict', 'precondition'],
      handle: async (call) => {
        const moved = redirectIfRenamed(call, '/actions/safe-delete')
        if (moved) return moved
        const { resource } = call.subject
        await safeDeleteWorkspace(call.deps, authorOf(call), resource, await expectedRevision(call))
        return nothing()
      },
    }),
  ),
)
