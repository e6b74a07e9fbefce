import { type InstanceKeys, instanceKeys, KeyBudget } from './instance-keys.ts'
import { maxNameCharacters, Tally } from './kind-tally.ts'
import { toolVersionMember } from './state-fields.ts'
import { listedResources, type Members, membersOf, withoutValue } from './state-reading.ts'

/** An output of a state. */
export type StateOutput = {
  readonly name: string
  readonly sensitive: boolean
  /** In plain words: `string`, `number`, `boolean`, `array`, `object`. */
  readonly type: string
  /** The type expression in the file; null if there is none. */
  readonly detailedType: unknown
  /** Whole numbers that a double cannot hold are bigints. */
  readonly value: unknown
}

/** A resource and the number of its instances. */
export type StateResource = {
  readonly name: string
  readonly type: string
  readonly count: number
  readonly module: string
  readonly provider: string
}

/** How many resources of each type there are in each module and of each provider. */
export type StateSummary = {
  readonly modules: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly providers: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly resources: readonly StateResource[]
  /** The keys of the instances of a resource, by its position in the list; absent in older outlines. */
  readonly keys?: Readonly<Record<string, InstanceKeys>>
}

/** What is known about a state without keeping all of it. */
export type StateFacts = {
  /** Null if the file cannot be read, for example because its writer encrypted it. */
  readonly format: number | null
  readonly toolVersion: string | null
  readonly serial: number | null
  readonly lineage: string | null
  readonly encrypted: boolean
  readonly resourceCount: number
  /** False if only the writer can tell what is managed. */
  readonly resourceCountKnown: boolean
  readonly outputs: readonly StateOutput[]
  readonly summary: StateSummary
}

/**
 * Outputs beyond this number are not shown, although the state has them. Each is a row of its own, encrypted
 * separately.
 */
const maxOutputs = 5_000

/** The outline of a state, or what is wrong with it. */
export type Analysis = { readonly ok: true; readonly facts: StateFacts } | { readonly ok: false; readonly why: string }

/** Longer than any name of a tool, module or resource that people type; longer ones are cut. */
const longestName = 1_024
const shortenName = (name: string): string => (name.length > longestName ? name.slice(0, longestName) : name)

/** Not every database can store a NUL, and no tool writes one. */
const hasNoNul = (text: string): boolean => !text.includes('\u0000')
const textOf = (value: unknown): string | null => (typeof value === 'string' && hasNoNul(value) ? value : null)
const integerOrNull = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)

const versionOf = (value: unknown): string | null => {
  const version = textOf(value)
  return version !== null && version.length <= longestName ? version : null
}

const empty: StateSummary = { modules: {}, providers: {}, resources: [] }

/**
 * Reads the outline of a state. Unknown formats, and states that their writer encrypted, are kept without being read.
 */
export function analyseState(document: unknown): Analysis {
  const state = membersOf(document)
  if (!state) return { ok: false, why: 'it is JSON, but not an object' }
  const common = {
    toolVersion: versionOf(state[toolVersionMember]),
    serial: integerOrNull(state.serial),
    lineage: textOf(state.lineage),
    outputs: [],
    summary: empty,
    resourceCount: 0,
    resourceCountKnown: false,
  }
  if ('encrypted_data' in state) return { ok: true, facts: { ...common, format: null, encrypted: true } }
  const format = integerOrNull(state.version)
  const known = { ...common, format, encrypted: false }
  if (format === 4) return analyseVersion4(state, known)
  if (format === 3) return analyseVersion3(state, known)
  return { ok: true, facts: known }
}

function analyseVersion4(state: Members, known: StateFacts): Analysis {
  const resources = state.resources ?? []
  const outputs = state.outputs ?? {}
  if (!Array.isArray(resources)) return { ok: false, why: 'its resources are not a list' }
  if (!membersOf(outputs)) return { ok: false, why: 'its outputs are not an object' }
  if (!resources.every(membersOf)) return { ok: false, why: 'one of its resources is not an object' }
  if (!resources.every(hasInstances)) return { ok: false, why: 'the instances of one of its resources are not a list' }
  return {
    ok: true,
    facts: { ...known, ...countsOf(resources.values().map(resourceOfVersion4)), outputs: readOutputs(outputs) },
  }
}

/**
 * Managed resources are counted by their instances: a file that hides them must not count as one that manages nothing.
 */
const hasInstances = ({ instances = null }: Members): boolean => instances === null || Array.isArray(instances)

const resourceOfVersion4 = (resource: Members): Counted => ({
  managed: resource.mode !== 'data',
  name: textOf(resource.name) ?? '',
  type: textOf(resource.type) ?? '',
  module: textOf(resource.module) ?? 'root',
  provider: textOf(resource.provider) ?? '',
  ...instancesOf(resource.instances),
})

const instancesOf = (instances: unknown): Pick<Counted, 'count' | 'instances'> =>
  Array.isArray(instances) ? { count: instances.length, instances } : { count: 0, instances: [] }

/** Format 3 keys the resources of each module by address; data sources begin with `data.`. */
function analyseVersion3(state: Members, known: StateFacts): Analysis {
  const modules = state.modules ?? []
  if (!Array.isArray(modules)) return { ok: false, why: 'its modules are not a list' }
  const counted: Counted[] = []
  let outputs: readonly StateOutput[] = []
  for (const each of modules) {
    const module = membersOf(each)
    const path = Array.isArray(module?.path) ? module.path.map(String) : ['root']
    if (path.length === 1) outputs = readOutputs(module?.outputs)
    for (const [address, raw] of Object.entries(membersOf(module?.resources) ?? {})) {
      counted.push(resourceOfVersion3(address, membersOf(raw), path))
    }
  }
  return { ok: true, facts: { ...known, ...countsOf(counted), outputs } }
}

function resourceOfVersion3(address: string, resource: Members | undefined, path: readonly string[]): Counted {
  const managed = !address.startsWith('data.')
  const [type = '', name = '', key = ''] = (managed ? address : address.slice('data.'.length)).split('.')
  const inner = path.slice(1).map((step) => `module.${step}`)
  return {
    managed,
    name,
    type: textOf(resource?.type) ?? type,
    module: inner.length === 0 ? 'root' : inner.join('.'),
    provider: textOf(resource?.provider) ?? '',
    count: 1,
    instances: /^\d+$/.test(key) ? [{ index_key: Number(key) }] : [],
  }
}

type Counted = StateResource & { readonly managed: boolean; readonly instances: readonly unknown[] }

function countsOf(counted: Iterable<Counted>): Pick<StateFacts, 'resourceCount' | 'resourceCountKnown' | 'summary'> {
  const [modules, providers] = [new Tally(), new Tally()]
  const resources: StateResource[] = []
  const keys: Record<string, InstanceKeys> = {}
  const budget = new KeyBudget()
  let resourceCount = 0
  let named = 0
  for (const each of counted) {
    const { managed, count } = each
    const type = managed ? shortenName(each.type) : `data.${shortenName(each.type)}`
    const [module, provider] = [shortenName(each.module), shortenName(each.provider)]
    if (managed) resourceCount += count
    modules.add(module, type, count)
    providers.add(provider, type, count)
    if (resources.length === listedResources) continue
    const name = shortenName(each.name)
    named += name.length + type.length + module.length + provider.length
    if (named > maxNameCharacters) continue
    const keysOfThis = instanceKeys(each.instances, budget)
    if (keysOfThis !== undefined) keys[resources.length] = keysOfThis
    resources.push({ name, type, count, module, provider })
  }
  const summary = { modules: modules.counts(), providers: providers.counts(), resources, keys }
  return { resourceCount, resourceCountKnown: true, summary }
}

/** Outputs as a state and `output -json` write them; names that are impossible in a configuration are left out. */
export function readOutputs(raw: unknown): readonly StateOutput[] {
  const named = Object.entries(membersOf(raw) ?? {}).filter(([name]) => hasNoNul(name) && name.length <= longestName)
  return named.slice(0, maxOutputs).map(([name, each], index) => {
    const isCut = named.length > maxOutputs && index === maxOutputs - 1
    const output = membersOf(isCut ? withoutValue(each) : each) ?? {}
    return {
      name,
      sensitive: output.sensitive === true,
      type: plainType(output.type, output.value),
      detailedType: expressionOf(output.type),
      value: output.value ?? null,
    }
  })
}

/** Format 3 says `list` or `map` without an element type; that is not a type expression. */
const expressionOf = (type: unknown): unknown =>
  Array.isArray(type) || type === 'string' || type === 'number' || type === 'bool' || type === 'dynamic' ? type : null

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  bool: 'boolean',
  list: 'array',
  set: 'array',
  tuple: 'array',
  map: 'object',
  object: 'object',
}

function plainType(type: unknown, value: unknown): string {
  const head: unknown = Array.isArray(type) ? type[0] : type
  const named = typeof head === 'string' && Object.hasOwn(plainTypes, head) ? plainTypes[head] : undefined
  return named ?? (Array.isArray(value) ? 'array' : typeof value === 'bigint' ? 'number' : typeof value)
}
