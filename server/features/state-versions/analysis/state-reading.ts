import { writeExact } from '../../../kernel/exact-json.ts'
import { listedInstances } from './instance-keys.ts'
import type { PathStep, Reading } from './json-scan.ts'

/** Resources beyond this number are counted, but not listed one by one. */
export const listedResources = 2_000

/** If outputs take more memory than this together, the rest is not shown, although the state has them. */
const outputBytes = 16 * 1024 * 1024

/** How a state is read for its outline; a new one for each state, since it remembers what it has seen. */
export function stateReading(): Reading {
  const share = resourceReducer()
  return {
    prune: attributePruner(),
    reduce: (path, value, kept) => {
      if (kept > outputBytes && outputDepth(path) === 0) return withoutValue(value)
      if (path.length === 4) return isInstances(path) ? { index_key: (value as Members).index_key } : value
      const isCountedOnly = path.length === 2 && (path[1] as number) >= listedResources && path[0] === 'resources'
      return isCountedOnly ? share(value) : value
    },
  }
}

/** How deep within an output a place is: 0 for the output itself; undefined outside of outputs. */
function outputDepth(path: readonly PathStep[]): number | undefined {
  const depth =
    path[0] === 'outputs' ? 2 : path[0] === 'modules' && path[2] === 'outputs' ? 4 : Number.POSITIVE_INFINITY
  return path.length >= depth ? path.length - depth : undefined
}

/** An output without value and type: command lines then read the whole state. */
export function withoutValue(value: unknown): unknown {
  const output = membersOf(value)
  return output && { sensitive: output.sensitive, type: null, value: null }
}

/** Of the resources that are only counted, those with equal counts share one object: large states have very many. */
function resourceReducer(): (resource: unknown) => unknown {
  const known = new Map<string, Members>()
  let latest: Members = {}
  return (resource) => {
    const { mode, type, module, provider, instances } = resource as Members
    if (!Array.isArray(instances)) return resource
    if (isAlike(latest, resource as Members)) return latest
    const key = writeExact([mode, type, module, provider, instances.length])
    latest = known.get(key) ?? { mode, type, module, provider, instances }
    known.set(key, latest)
    return latest
  }
}

/** True if both are counted alike, as neighbours mostly are. */
const isAlike = (one: Members, other: Members): boolean =>
  one.type === other.type &&
  one.module === other.module &&
  one.provider === other.provider &&
  one.mode === other.mode &&
  (one.instances as unknown[] | undefined)?.length === (other.instances as unknown[]).length

/** Leaves out the attributes of managed resources: large, secret, and of no use for the outline. */
function attributePruner(): Reading['prune'] {
  let opened = 0
  return (path, kept, begins) => {
    if (kept > outputBytes && path.at(-1) !== 'sensitive' && (outputDepth(path) ?? 0) > 0) return true
    switch (path.length) {
      case 1:
        return path[0] === 'encrypted_data' || path[0] === 'check_results'
      case 3:
        // Resources that are only counted need no name.
        return (path[1] as number) >= listedResources && path[2] === 'name' && path[0] === 'resources'
      case 4:
        // Instances that will not be listed are left out, and so are those without a key: it would come before
        // `schema_version`.
        if (!isInstances(path)) return false
        return (path[1] as number) >= listedResources || begins('schema_version') || ++opened > listedInstances
      case 5:
        if (path[0] === 'modules') return path[2] === 'resources' && path[4] !== 'type' && path[4] !== 'provider'
        return isInstances(path) && path[4] !== 'index_key'
      case 6:
        return isInstances(path)
      default:
        return false
    }
  }
}

const isInstances = (path: readonly PathStep[]): boolean => path[2] === 'instances' && path[0] === 'resources'

/** An object in a file. */
export type Members = Readonly<Record<string, unknown>>

/** The value if it is an object. */
export const membersOf = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined
