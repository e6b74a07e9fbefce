import { inOrganization, organizationInPath } from '../../../access/permissions/index.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import {
  answerOne,
  documentSchema,
  type Resource,
  resourceSchema,
  shown,
  showQuery,
} from '../../../kit/jsonapi/index.ts'
import { onWorkspace, workspaceInPath } from '../workspaces/index.ts'
import { measureStorage, type StorageUsage } from './retention-store.ts'

const usageSchema = resourceSchema('storage-usages', {
  attributes: {
    'configurations-bytes': shown.whole('Archives of configuration versions, as they were sent.'),
    'plans-bytes': shown.whole('Plans and what was shown of them.'),
    'logs-bytes': shown.whole('Logs of runs.'),
    'states-bytes': shown.whole('State versions, with what providers see of them.'),
    'total-bytes': shown.whole('All of these together. They are stored compressed, and take less.'),
  },
})

const toUsage = (id: string, { configurations, plans, logs, states }: StorageUsage): Resource => ({
  type: 'storage-usages',
  id,
  attributes: {
    'configurations-bytes': configurations,
    'plans-bytes': plans,
    'logs-bytes': logs,
    'states-bytes': states,
    'total-bytes': configurations + plans + logs + states,
  },
})

/** How many bytes workspaces and organizations keep. */
export const storageEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'workspaces.storage-usage',
    route: 'GET /workspaces/:workspaceId/storage-usage',
    summary: 'Read how many bytes a workspace keeps.',
    access: onWorkspace('can-read-run'),
    params: workspaceInPath,
    query: showQuery(),
    returns: { 200: documentSchema(usageSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { id } = call.subject.resource
      return answerOne(call, toUsage(id, await measureStorage(call.deps.reads, { column: 'workspace_id', id })))
    },
  }),
  endpoint({
    id: 'organizations.storage-usage',
    route: 'GET /organizations/:organization/storage-usage',
    summary: 'Read how many bytes an organization keeps.',
    access: inOrganization('can-update'),
    params: organizationInPath,
    query: showQuery(),
    returns: { 200: documentSchema(usageSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { organizationId: id } = call.subject
      return answerOne(call, toUsage(id, await measureStorage(call.deps.reads, { column: 'organization_id', id })))
    },
  }),
])
