import { toIso } from '../../../../kernel/clock.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import {
  answerPage,
  entriesOn,
  listQuery,
  type PageRequest,
  pageSchema,
  type Resource,
  resourceSchema,
  shown,
} from '../../../../kit/jsonapi/index.ts'
import { holderOf, onWorkspace, workspaceInPath } from '../../workspaces/index.ts'
import { currentStateOf } from '../current-actions.ts'
import { openSummary } from '../facts-actions.ts'
import type { StateVersion } from '../state-version.ts'
import { addressOf, instancesOf, moduleName, type StateInstance } from './resource.ts'

/** The short name of `provider["host/namespace/name"].alias` or `provider.name`, which may belong to a module. */
export const providerName = (provider: string): string => {
  const source = /(?:^|\.)provider\["([^"]+)"\](?:\.[^."]+)?$/.exec(provider)?.[1]
  if (source !== undefined) return source.split('/').slice(-2).join('/')
  return provider.replace(/^(?:.*\.)?provider\./, '')
}

/** An instance of a resource that a state manages or reads. */
const toStateResource = (id: string, instance: StateInstance, version: StateVersion): Resource => ({
  type: 'resources',
  id,
  attributes: {
    address: addressOf({ ...instance, module: moduleName(instance.module) }),
    name: instance.name,
    'created-at': toIso(version.createdAt),
    'updated-at': toIso(version.createdAt),
    module: moduleName(instance.module),
    provider: providerName(instance.provider),
    'provider-type': instance.type,
    'modified-by-state-version-id': version.id,
    'name-index': instance.key === null ? null : String(instance.key),
  },
})

/** An instance as answers show it. */
const stateResourceSchema = resourceSchema('resources', {
  name: 'StateResource',
  attributes: {
    address: shown.text('Address in the configuration, without the word `module`.'),
    name: shown.text('Its name.'),
    'created-at': shown.time('When the state that contains it was written.'),
    'updated-at': shown.time('When the state that contains it was written.'),
    module: shown.text('The module it belongs to; `root` for the root module.'),
    provider: shown.text('The provider that manages it.'),
    'provider-type': shown.text('Its type; that of data sources begins with `data.`.'),
    'modified-by-state-version-id': shown.text('The state version that contains it.'),
    'name-index': shown.maybeText('Its index or key among the instances of its resource; null if it has none.'),
  },
})

/** An instance keeps its identifier from state to state; it has the characters of other identifiers. */
function instanceId({ keyring }: Pick<Deps, 'keyring'>, workspaceId: string, instance: StateInstance): string {
  const hash = keyring.keyedHash('workspace-resource', `${workspaceId}:${addressOf(instance)}`)
  return `wsr-${hash.replace(/[-_0OIl]/g, '').slice(0, 16)}`
}

/** One page of the resource instances that a state lists, their addresses in the configuration, and how many it lists. */
export function listResources(
  deps: Pick<Deps, 'keyring'>,
  version: StateVersion,
  page: PageRequest,
): { resources: Resource[]; addresses: string[]; total: number } {
  const instances = instancesOf(openSummary(deps, version))
  const shown = entriesOn(page, instances)
  const resources = shown.map((instance) =>
    toStateResource(instanceId(deps, version.workspaceId, instance), instance, version),
  )
  return { resources, addresses: shown.map(addressOf), total: instances.length }
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
      return answerPage(call, version ? listResources(deps, version, query.page) : { resources: [], total: 0 })
    },
  }),
])
