import { isDeepStrictEqual } from 'node:util'
import { type Members, membersOf } from '../analysis/state-fields.ts'
import { addressOf } from '../resources/resource.ts'

/** How a resource or an output differs between two states. */
export type Change = {
  /** The address of the resource, or the name of the output. */
  readonly name: string
  readonly kind: 'added' | 'removed' | 'changed'
  /** What has changed of a resource: names alone, since values may be secret. */
  readonly attributes: readonly string[]
}

/** What differs between two states. */
export type StateChanges = { readonly resources: readonly Change[]; readonly outputs: readonly Change[] }

/** More attributes of one resource are not named. */
export const namedAttributes = 20

/** Compares two states; undefined if one of them is in a format that is not understood, or encrypted. */
export function compareStates(before: unknown, after: unknown): StateChanges | undefined {
  const [old, fresh] = [readableState(before), readableState(after)]
  if (!old || !fresh) return undefined
  return {
    resources: compareMembers(instancesIn(old), instancesIn(fresh), (...both) => [...changedAttributes(...both)]),
    outputs: compareMembers(outputsIn(old), outputsIn(fresh), () => []),
  }
}

const readableState = (document: unknown): Members | undefined => {
  const state = membersOf(document)
  return state?.version === 4 && !('encrypted_data' in state) ? state : undefined
}

/** What was removed and changed, in the order of the old state, and then what was added. */
function compareMembers<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  attributesOf: (old: T, fresh: T) => string[],
): Change[] {
  const changes: Change[] = []
  for (const [name, old] of before) {
    const fresh = after.get(name)
    if (fresh === undefined) changes.push({ name, kind: 'removed', attributes: [] })
    else if (!isDeepStrictEqual(old, fresh))
      changes.push({ name, kind: 'changed', attributes: attributesOf(old, fresh) })
  }
  for (const name of after.keys()) if (!before.has(name)) changes.push({ name, kind: 'added', attributes: [] })
  return changes
}

const outputsIn = (state: Members): Map<string, unknown> =>
  new Map(Object.entries(membersOf(state.outputs) ?? {}).map(([name, output]) => [name, output ?? null]))

/** The attributes of the instances of a state, by their address. */
function instancesIn(state: Members): Map<string, Members> {
  const instances = new Map<string, Members>()
  for (const each of listOf(state.resources)) {
    const resource = membersOf(each) ?? {}
    const type = String(resource.type ?? '')
    const place = {
      module: typeof resource.module === 'string' ? resource.module : 'root',
      type: resource.mode === 'data' ? `data.${type}` : type,
      name: String(resource.name ?? ''),
    }
    for (const instance of listOf(resource.instances).map((one) => membersOf(one) ?? {})) {
      const { deposed, attributes, attributes_flat: flat } = instance
      const address = addressOf({ ...place, key: keyOf(instance) })
      const whole = typeof deposed === 'string' ? `${address} (deposed ${deposed})` : address
      // No attribute has such a name.
      const tainted = { '(tainted)': instance.status === 'tainted' }
      instances.set(whole, { ...tainted, ...membersOf(flat), ...membersOf(attributes) })
    }
  }
  return instances
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function keyOf({ index_key: key = null }: Members): string | number | null {
  return key === null || typeof key === 'number' ? key : String(key)
}

/** Attributes are named down to this depth: each level compares everything below it again. */
const namedLevels = 3

/** The attributes that differ; within objects such as tags their members are named. */
function* changedAttributes(before: Members, after: Members, around: readonly string[] = []): Generator<string> {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, fresh] = [before[name], after[name]]
    if (isDeepStrictEqual(old, fresh)) continue
    const path = [...around, name]
    const [oldMembers, freshMembers] = [membersOf(old), membersOf(fresh)]
    if (oldMembers && freshMembers && path.length < namedLevels)
      yield* changedAttributes(oldMembers, freshMembers, path)
    else yield path.join('.')
  }
}
