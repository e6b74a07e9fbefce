import { isDeepStrictEqual } from 'node:util'
import { writeExact } from '../../../../kernel/exact-json.ts'
import { type Members, membersOf } from '../analysis/state-fields.ts'
import { addressOf } from '../resources/resource.ts'
import { isSensitive, type SensitivePath, sensitivePathsOf } from './sensitive.ts'

/** How a resource or an output differs between two states. */
export type Change = {
  /** The address of the resource, or the name of the output. */
  readonly name: string
  readonly kind: 'added' | 'removed' | 'changed'
  /** What has changed of it; an output has a single attribute, its value. */
  readonly attributes: readonly AttributeChange[]
  /** How many more attributes differ that are not listed. */
  readonly more: number
}

/** An attribute before and after: JSON texts, null where there is none. The values of sensitive ones are left out. */
export type AttributeChange = {
  readonly name: string
  readonly sensitive: boolean
  readonly before: string | null
  readonly after: string | null
}

/** What differs between two states. */
export type StateChanges = { readonly resources: readonly Change[]; readonly outputs: readonly Change[] }

/** More attributes of one resource are not listed. */
const listedAttributes = 100

/** Longer values are cut. */
const longestValue = 4_000

/** Compares two states; undefined if one of them is in a format that is not understood, or encrypted. */
export function compareStates(before: unknown, after: unknown): StateChanges | undefined {
  const [old, fresh] = [readableState(before), readableState(after)]
  if (!old || !fresh) return undefined
  return {
    resources: compareMembers(instancesIn(old), instancesIn(fresh)),
    outputs: compareMembers(outputsIn(old), outputsIn(fresh)),
  }
}

/** What is compared: attributes, and the paths of those whose values nobody is shown. */
type Compared = { readonly attributes: Members; readonly sensitive: readonly SensitivePath[] }

const nothing: Compared = { attributes: {}, sensitive: [] }

const readableState = (document: unknown): Members | undefined => {
  const state = membersOf(document)
  return state?.version === 4 && !('encrypted_data' in state) ? state : undefined
}

/** What was removed and changed, in the order of the old state, and then what was added. */
function compareMembers(before: ReadonlyMap<string, Compared>, after: ReadonlyMap<string, Compared>): Change[] {
  const changes: Change[] = []
  for (const [name, old] of before) {
    const fresh = after.get(name)
    if (fresh === undefined) changes.push({ name, kind: 'removed', ...attributesOf(old, nothing) })
    else if (!isDeepStrictEqual(old.attributes, fresh.attributes))
      changes.push({ name, kind: 'changed', ...attributesOf(old, fresh) })
  }
  for (const [name, fresh] of after) {
    if (!before.has(name)) changes.push({ name, kind: 'added', ...attributesOf(nothing, fresh) })
  }
  return changes
}

function attributesOf(before: Compared, after: Compared): Pick<Change, 'attributes' | 'more'> {
  const sensitive = [...before.sensitive, ...after.sensitive]
  const isWhole = before === nothing || after === nothing
  const attributes: AttributeChange[] = []
  let more = 0
  for (const { path, old, fresh } of changedAttributes(before.attributes, after.attributes)) {
    // What comes or goes as a whole has many attributes that nobody has set.
    if (isWhole && (old ?? fresh ?? null) === null) continue
    if (attributes.length === listedAttributes) {
      more++
      continue
    }
    const hides = isSensitive(path, sensitive)
    const shown = (value: unknown): string | null =>
      value === undefined ? null : hides ? '' : startOf(writeExact(value), longestValue)
    attributes.push({ name: path.join('.'), sensitive: hides, before: shown(old), after: shown(fresh) })
  }
  return { attributes, more }
}

/** The start of a text; a pair of surrogates, such as an emoji, stays whole. */
const startOf = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…`

function outputsIn(state: Members): Map<string, Compared> {
  const outputs = Object.entries(membersOf(state.outputs) ?? {})
  return new Map(
    outputs.map(([name, output]): [string, Compared] => {
      const { value, sensitive } = membersOf(output) ?? {}
      // No attribute of an output but these two is compared.
      if (sensitive !== true) return [name, { attributes: { value }, sensitive: [] }]
      return [name, { attributes: { value, '(sensitive)': true }, sensitive: [['value']] }]
    }),
  )
}

/** The attributes of the instances of a state, by their address. */
function instancesIn(state: Members): Map<string, Compared> {
  const instances = new Map<string, Compared>()
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
      const tainted = instance.status === 'tainted' ? { '(tainted)': true } : {}
      instances.set(whole, {
        attributes: { ...tainted, ...membersOf(flat), ...membersOf(attributes) },
        sensitive: sensitivePathsOf(instance.sensitive_attributes),
      })
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

type Difference = { readonly path: readonly string[]; readonly old: unknown; readonly fresh: unknown }

/** The attributes that differ; within objects such as tags their members are named. */
function* changedAttributes(before: Members, after: Members, around: readonly string[] = []): Generator<Difference> {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, fresh] = [before[name], after[name]]
    if (isDeepStrictEqual(old, fresh)) continue
    const path = [...around, name]
    const [oldMembers, freshMembers] = [membersOf(old), membersOf(fresh)]
    if (oldMembers && freshMembers && path.length < namedLevels)
      yield* changedAttributes(oldMembers, freshMembers, path)
    else yield { path, old, fresh }
  }
}
