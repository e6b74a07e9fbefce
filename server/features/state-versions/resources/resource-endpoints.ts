import type { Deps } from '../../../kit/deps.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import { answerPage, entriesOn, listQuery, pageSchema } from '../../../kit/jsonapi/index.ts'
import { holderOf, onWorkspace, workspaceInPath } from '../../workspaces/index.ts'
import { currentStateOf } from '../current-actions.ts'
import { openSummary } from '../facts-actions.ts'
import { addressOf, instancesOf, type StateInstance } from './resource-rules.ts'
import { stateResourceSchema, toStateResource } from './resource-wire.ts'

/** An instance keeps its identifier from state to state; it has the characters of other identifiers. */
function instanceId({ keyring }: Pick<Deps, 'keyring'>, workspaceId: string, instance: StateInstance): string {
  const hash = keyring.keyedHash('workspace-resource', `${workspaceId}:${addressOf(instance)}`)
  return `wsr-${hash.replace(/[-_0OIl]/g, '').slice(0, 16)}`
}

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
      if (!version) return answerPage(call, { resources: [], total: 0 })
      const instances = instancesOf(openSummary(deps, version))
      const resources = entriesOn(query.page, instances).map((instance) =>
        toStateResource(instanceId(deps, workspace.id, instance), instance, version),
      )
      return answerPage(call, { resources, total: instances.length })
    },
  }),
])
