import { defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import { answerPage, entriesOn, listQuery, pageSchema } from '../../../kit/jsonapi/index.ts'
import { holderOf, onWorkspace, workspaceInPath } from '../../workspaces/index.ts'
import { currentStateOf } from '../current-actions.ts'
import { openSummary } from '../facts-actions.ts'
import { addressOf, instancesOf } from './resource-rules.ts'
import { stateResourceSchema, toStateResource } from './resource-wire.ts'

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
      const { id } = subject.resource
      const version = await currentStateOf(deps, subject.resource, holderOf(subject.actor))
      const found = version ? instancesOf(openSummary(deps, version)) : []
      // An instance keeps its identifier from state to state.
      const idOf = (address: string): string => {
        const hash = deps.keyring.keyedHash('workspace-resource', `${id}:${address}`)
        return `wsr-${hash.replace(/[-_0OIl]/g, '').slice(0, 16)}`
      }
      const resources = entriesOn(query.page, found).flatMap((each) =>
        version ? [toStateResource(idOf(addressOf(each)), each, version)] : [],
      )
      return answerPage(call, { resources, total: found.length })
    },
  }),
])
