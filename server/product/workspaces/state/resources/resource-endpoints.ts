import { defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import { answerPage, listQuery, pageSchema } from '../../../../kit/jsonapi/index.ts'
import { holderOf, onWorkspace, workspaceInPath } from '../../workspaces/index.ts'
import { currentStateOf } from '../current-actions.ts'
import { listResources } from './resource-answers.ts'
import { stateResourceSchema } from './resource-wire.ts'

/** What the current state of a workspace manages. */
export const resourceEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'workspace-resources.list',
    route: 'GET /workspaces/:workspaceId/resources',
    summary: 'List the resource instances in the current state of a workspace.',
    description:
      'At most the first 2,000 instances are listed. The list is empty if there is no state or the state is encrypted.',
    access: onWorkspace('can-read-state-versions'),
    params: workspaceInPath,
    query: listQuery(),
    returns: { 200: pageSchema(stateResourceSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { deps, subject, query } = call
      const { resource: workspace, actor } = subject
      const version = await currentStateOf(deps, workspace, holderOf(actor))
      return answerPage(call, version ? listResources(deps, version, query.page) : { resources: [], total: 0 })
    },
  }),
])
