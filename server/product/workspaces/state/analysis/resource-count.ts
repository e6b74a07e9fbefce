import { type InstanceKeys, instanceKeys, KeyBudget } from './instance-keys.ts'
import { maxNameCharacters, Tally } from './kind-tally.ts'

/** Resources beyond this number are counted, but not listed one by one. */
export const listedResources = 2_000

/** Longer than any name of a tool, module or resource that people type; longer ones are cut. */
export const longestName = 1_024
const shortenName = (name: string): string => (name.length > longestName ? name.slice(0, longestName) : name)

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

/** A resource as a file has it; `instances` are the first ones, for their keys. */
export type Counted = StateResource & { readonly managed: boolean; readonly instances: readonly unknown[] }

/** The names by which a resource is counted. */
export const kindOf = ({ managed, type, module, provider }: Omit<Counted, 'name' | 'count' | 'instances'>) => ({
  type: managed ? shortenName(type) : `data.${shortenName(type)}`,
  module: shortenName(module),
  provider: shortenName(provider),
})

/** Counts resources one by one and lists the first; what it keeps does not depend on how many there are. */
export class ResourceCount {
  readonly #modules = new Tally()
  readonly #providers = new Tally()
  readonly #resources: StateResource[] = []
  readonly #keys: Record<string, InstanceKeys> = {}
  readonly #budget = new KeyBudget()
  #managed = 0
  #named = 0

  /** Takes the next resource. */
  add(each: Counted): void {
    const { type, module, provider } = kindOf(each)
    if (each.managed) this.#managed += each.count
    this.#modules.add(module, type, each.count)
    this.#providers.add(provider, type, each.count)
    if (this.#resources.length === listedResources) return
    const name = shortenName(each.name)
    this.#named += name.length + type.length + module.length + provider.length
    if (this.#named > maxNameCharacters) return
    const keys = instanceKeys(each.instances, each.count, this.#budget)
    if (keys !== undefined) this.#keys[this.#resources.length] = keys
    this.#resources.push({ name, type, count: each.count, module, provider })
  }

  /** Counts more resources of a module without listing them: the managed ones, and each type of each provider. */
  addOthers(module: string, managed: number, others: StateSummary['providers']): void {
    this.#managed += managed
    for (const [provider, types] of Object.entries(others)) {
      for (const [type, count] of Object.entries(types)) {
        this.#modules.add(shortenName(module), type, count)
        this.#providers.add(provider, type, count)
      }
    }
  }

  /** The number of managed instances, and the rest as a summary. */
  result(): { readonly resourceCount: number; readonly resourceCountKnown: true; readonly summary: StateSummary } {
    const [modules, providers] = [this.#modules.counts(), this.#providers.counts()]
    const summary = { modules, providers, resources: this.#resources, keys: this.#keys }
    return { resourceCount: this.#managed, resourceCountKnown: true, summary }
  }
}
