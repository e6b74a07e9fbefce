import { longestName, type Members, membersOf, textOf } from './state-fields.ts'

/** Resources beyond this number are counted, but not listed one by one. */
export const listedResources = 2_000

/** Instances beyond this number are counted, but not listed one by one. */
export const listedInstances = 2_000

/** A resource and the number of its instances. */
export type StateResource = {
  readonly name: string
  readonly type: string
  readonly count: number
  readonly module: string
  readonly provider: string
}

/** The keys of the instances of a resource: `counted` for numbers from 0 on, or each key. */
export type InstanceKeys = 'counted' | readonly (string | number)[]

/** How many resources of each type there are in each module and of each provider. */
export type StateSummary = {
  readonly modules: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly providers: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly resources: readonly StateResource[]
  /** The keys of the instances of a resource, by its position in the list; absent in older outlines. */
  readonly keys?: Readonly<Record<string, InstanceKeys>>
}

/** The summary of a state without resources, or of one that is not read. */
export const noSummary: StateSummary = { modules: {}, providers: {}, resources: [] }

/** How many managed instances a state has, and the rest as a summary. */
export type CountedResources = {
  readonly resourceCount: number
  readonly resourceCountKnown: true
  readonly summary: StateSummary
}

/** Characters that the names of all listed resources may have, and those of all kinds; ordinary states need a third. */
const maxNameCharacters = 1024 * 1024

/** Kinds of resources beyond this number are counted in the total, but not for their module and provider. */
const maxTalliedKinds = 2_000

/** Counts by group and type; names come from files, so they are not used as keys of plain objects until the end. */
class Tally {
  readonly #groups = new Map<string, Map<string, number>>()
  #kinds = 0
  #named = 0

  /** Counts so many more. */
  add(group: string, type: string, count: number): void {
    const types = this.#groups.get(group) ?? new Map<string, number>()
    const before = types.get(type)
    if (before === undefined && !this.#hasRoomFor(group, type)) return
    types.set(type, (before ?? 0) + count)
    this.#groups.set(group, types)
  }

  #hasRoomFor(group: string, type: string): boolean {
    this.#named += group.length + type.length
    return ++this.#kinds <= maxTalliedKinds && this.#named <= maxNameCharacters
  }

  /** The counts as plain objects. */
  counts(): Record<string, Record<string, number>> {
    return Object.fromEntries([...this.#groups].map(([group, types]) => [group, Object.fromEntries(types)]))
  }
}

/** Longer than any key people write; an instance with a longer one is not distinguished. */
const longestKey = 1_024

/** How many more instances may be distinguished, and how many characters their keys may still have. */
export class KeyBudget {
  #instances = listedInstances
  #characters = maxNameCharacters

  /** How many more instances may be examined. */
  get instances(): number {
    return this.#instances
  }

  /** Takes room for keys; false when there is not enough. */
  take(looked: number, keys: readonly (string | number)[]): boolean {
    this.#instances -= looked
    for (const key of keys) this.#characters -= typeof key === 'string' ? key.length : 8
    return this.#characters >= 0
  }
}

/** The keys of so many instances, of which these are the first; undefined for one without a key, as most are. */
export function instanceKeys(
  instances: readonly unknown[],
  count: number,
  budget: KeyBudget,
): InstanceKeys | undefined {
  const looked = Math.min(instances.length, budget.instances)
  // A deposed instance, left over from a replacement, has the same key as the one that replaced it.
  const found = new Set<string | number>()
  for (let place = 0; place < looked; place++) {
    const key = keyOf(instances[place])
    if (key !== undefined) found.add(key)
  }
  const keys = [...found]
  if (!budget.take(looked, keys) || keys.length === 0) return undefined
  const isCounted = keys.length === count && keys.every((key, place) => key === place)
  return isCounted ? 'counted' : keys
}

function keyOf(instance: unknown): string | number | undefined {
  const key = (instance as { index_key?: unknown } | null)?.index_key
  if (typeof key === 'string') return key.length <= longestKey && !key.includes('\u0000') ? key : undefined
  return Number.isSafeInteger(key) ? (key as number) : undefined
}

const nameOf = (value: unknown, otherwise = ''): string => (textOf(value) ?? otherwise).slice(0, longestName)

/**
 * The resources of a state, taken one by one: all are counted and the first are listed, so what is kept does not depend
 * on how many there are.
 */
export class ResourceList {
  readonly #modules = new Tally()
  readonly #providers = new Tally()
  readonly #resources: StateResource[] = []
  readonly #keys: Record<string, InstanceKeys> = {}
  readonly #budget = new KeyBudget()
  #managed = 0
  #named = 0
  #begun = 0
  #taken = 0
  #hidesInstances = false

  /** The resources of a document. */
  static of(resources: readonly unknown[]): ResourceList {
    const list = new ResourceList()
    for (const resource of resources) {
      list.begin()
      const instances = membersOf(resource)?.instances
      list.add(resource, Array.isArray(instances) ? instances.length : 0)
    }
    return list
  }

  /** An entry of the list begins; `add` follows if it is a resource. */
  begin(): void {
    this.#begun++
  }

  /** Takes a resource that has so many instances; of those it need not have more than the first. */
  add(resource: unknown, count: number): void {
    const members = membersOf(resource)
    if (!members) return
    this.#taken++
    const { instances = null } = members
    if (Array.isArray(instances)) this.#count(members, instances, count)
    else if (instances === null) this.#count(members, [], 0)
    else this.#hidesInstances = true
  }

  #count(members: Members, instances: readonly unknown[], count: number): void {
    const isManaged = members.mode !== 'data'
    const type = isManaged ? nameOf(members.type) : `data.${nameOf(members.type)}`
    const [module, provider] = [nameOf(members.module, 'root'), nameOf(members.provider)]
    if (isManaged) this.#managed += count
    this.#modules.add(module, type, count)
    this.#providers.add(provider, type, count)
    if (this.#resources.length === listedResources) return
    const name = nameOf(members.name)
    this.#named += name.length + type.length + module.length + provider.length
    if (this.#named > maxNameCharacters) return
    const keys = instanceKeys(instances, count, this.#budget)
    if (keys !== undefined) this.#keys[this.#resources.length] = keys
    this.#resources.push({ name, type, count, module, provider })
  }

  /**
   * What is wrong with the list. Managed resources are counted by their instances: a file that hides them must not
   * count as one that manages nothing.
   */
  problem(): string | undefined {
    if (this.#begun !== this.#taken) return 'one of its resources is not an object'
    return this.#hidesInstances ? 'the instances of one of its resources are not a list' : undefined
  }

  /** How many there are, and of which kinds. */
  result(): CountedResources {
    const [modules, providers] = [this.#modules.counts(), this.#providers.counts()]
    const summary = { modules, providers, resources: this.#resources, keys: this.#keys }
    return { resourceCount: this.#managed, resourceCountKnown: true, summary }
  }
}
