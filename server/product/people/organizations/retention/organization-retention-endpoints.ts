import { inOrganization, organizationInPath } from '../../../../access/permissions/index.ts'
import type { Endpoint } from '../../../../kit/endpoint.ts'
import { lockArea } from '../../../../storage/versions.ts'
import { retentionEndpointsFor } from './data-retention-endpoints.ts'

/** The retention policy of an organization: for workspaces without one of their own. */
export const organizationRetentionEndpoints: readonly Endpoint[] = retentionEndpointsFor({
  type: 'organizations',
  path: '/organizations/:organization',
  params: organizationInPath,
  mayRead: inOrganization('can-traverse'),
  maySet: inOrganization('can-update'),
  targetOf: ({ organizationId, organizationName }) => ({
    organizationId,
    name: organizationName,
    lockForUpdate: (tx) => lockArea(tx, 'organizations'),
  }),
  holdersOf: ({ organizationId, organizationName }) => [
    { targetId: organizationId, identifier: { type: 'organizations', id: organizationName } },
  ],
  summaries: {
    read: 'Read the default retention policy, which applies to workspaces without their own.',
    set: 'Set the default retention policy, which applies to workspaces without their own.',
    remove: 'Remove the default retention policy; succeeds even if there is none.',
  },
})
