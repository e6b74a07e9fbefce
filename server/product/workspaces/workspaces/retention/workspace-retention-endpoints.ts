import { hidden } from '../../../../access/permissions/index.ts'
import type { Endpoint } from '../../../../kit/endpoint.ts'
import { retentionEndpointsFor } from '../../../people/organizations/index.ts'
import { onWorkspace, workspaceInPath } from '../workspace-access-actions.ts'
import { lockWorkspaceForUpdate } from '../workspace-store.ts'

/** How long old state of one workspace is kept. */
export const workspaceRetentionEndpoints: readonly Endpoint[] = retentionEndpointsFor({
  type: 'workspaces',
  path: '/workspaces/:workspaceId',
  params: workspaceInPath,
  mayRead: onWorkspace('can-read-run'),
  maySet: onWorkspace('can-update'),
  targetOf: ({ resource: { organizationId, id, name } }) => ({
    organizationId,
    workspaceId: id,
    name,
    lockForUpdate: async (tx) => {
      if (!(await lockWorkspaceForUpdate(tx, id))) throw hidden()
    },
  }),
  holdersOf: ({ resource: { organizationId, id }, grants: { organizationName } }) => [
    { targetId: id, identifier: { type: 'workspaces', id } },
    { targetId: organizationId, identifier: { type: 'organizations', id: organizationName } },
  ],
  summaries: {
    read: 'Read the effective retention policy: that of the workspace, or the default of its organization.',
    set: 'Set the retention policy of a workspace.',
    remove: 'Remove the retention policy of a workspace; succeeds even if there is none.',
  },
})
