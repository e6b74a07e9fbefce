import { listedInstances, type StateResource, type StateSummary } from '../analysis/resource-list.ts'

/** One instance of a resource; its key is null if it needs none. */
export type StateInstance = StateResource & { readonly key: string | number | null }

/** The instances that a state lists, in its order. */
export function instancesOf({ resources, keys = {} }: StateSummary): StateInstance[] {
  const instances: StateInstance[] = []
  for (const [place, resource] of resources.entries()) {
    for (const key of keysOf(resource, keys[place])) {
      if (instances.length === listedInstances) return instances
      instances.push({ ...resource, key })
    }
  }
  return instances
}

function keysOf({ count }: StateResource, keys: 'counted' | readonly (string | number)[] | undefined) {
  if (keys === undefined) return count === 0 ? [] : [null]
  return keys === 'counted' ? Array(Math.min(count, listedInstances)).keys() : keys
}

/** The address of an instance in its configuration. */
export const addressOf = ({
  module,
  type,
  name,
  key,
}: Pick<StateInstance, 'module' | 'type' | 'name' | 'key'>): string =>
  `${module === 'root' ? '' : `${module}.`}${type}.${name}${key === null ? '' : `[${JSON.stringify(key)}]`}`

const quotedOrStep = /"(?:[^"\\]|\\.)*"|(^|\.)module\./g

/** A module as clients of this family show it: `net.edge["a"]` for `module.net.module.edge["a"]`. */
export const moduleName = (module: string): string =>
  module.replace(quotedOrStep, (found, before?: string) => before ?? found)
