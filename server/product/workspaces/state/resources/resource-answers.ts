import type { Deps } from '../../../../kit/deps.ts'
import { entriesOn, type PageRequest, type Resource } from '../../../../kit/jsonapi/index.ts'
import { openSummary } from '../facts-actions.ts'
import type { StateVersion } from '../state-version-rules.ts'
import { addressOf, instancesOf, type StateInstance } from './resource-rules.ts'
import { toStateResource } from './resource-wire.ts'

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
