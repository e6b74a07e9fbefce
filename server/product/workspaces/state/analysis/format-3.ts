import { Tally } from './kind-tally.ts'
import { type Members, membersOf, textOf } from './members.ts'
import { type Counted, kindOf, listedResources, ResourceCount } from './resource-count.ts'
import { readOutputs, type StateOutput } from './state-outputs.ts'

/** Steps of the path of a module beyond this number are ignored; no tool nests modules so deeply. */
export const maxModuleSteps = 100

/**
 * The modules of a state of format 3, taken one by one. Each keys its resources by address; data sources begin with
 * `data.`.
 */
export class ModuleList {
  #count = new ResourceCount()
  #outputs: readonly StateOutput[] = []
  /** The resources of the module that is being read, whose path may come last. Those beyond the first are counted. */
  #first: Omit<Counted, 'module'>[] = []
  #others = new Tally()
  #managedOthers = 0

  /** The modules of a document. */
  static of(modules: readonly unknown[]): ModuleList {
    const list = new ModuleList()
    for (const module of modules) {
      for (const [address, raw] of Object.entries(membersOf(membersOf(module)?.resources) ?? {})) list.add(address, raw)
      list.endModule(module)
    }
    return list
  }

  /** Forgets all: a file that has two lists means the second. */
  clear(): void {
    this.#count = new ResourceCount()
    this.#outputs = []
    this.clearModule()
  }

  /** Forgets the resources of the module that is being read. */
  clearModule(): void {
    this.#first = []
    this.#others = new Tally()
    this.#managedOthers = 0
  }

  /** Takes a resource of the module that is being read. */
  add(address: string, raw: unknown): void {
    const resource = countedFrom(address, membersOf(raw))
    if (this.#first.length < listedResources) {
      this.#first.push(resource)
      return
    }
    const { provider, type } = kindOf({ ...resource, module: '' })
    this.#others.add(provider, type, 1)
    if (resource.managed) this.#managedOthers++
  }

  /** Takes a module whose resources have been added; it need not have them. */
  endModule(value: unknown): void {
    const module = membersOf(value)
    if (!module) return
    const path = Array.isArray(module.path) ? module.path.map(String) : ['root']
    if (path.length === 1) this.#outputs = readOutputs(module.outputs)
    const inner = path.slice(1).map((step) => `module.${step}`)
    const name = inner.length === 0 ? 'root' : inner.join('.')
    for (const resource of this.#first) this.#count.add({ ...resource, module: name })
    this.#count.addOthers(name, this.#managedOthers, this.#others.counts())
    this.clearModule()
  }

  /** How many resources there are, of which kinds, and the outputs of the root module. */
  result(): ReturnType<ResourceCount['result']> & { readonly outputs: readonly StateOutput[] } {
    return { ...this.#count.result(), outputs: this.#outputs }
  }
}

function countedFrom(address: string, resource: Members | undefined): Omit<Counted, 'module'> {
  const managed = !address.startsWith('data.')
  const [type = '', name = '', key = ''] = (managed ? address : address.slice('data.'.length)).split('.')
  return {
    managed,
    name,
    type: textOf(resource?.type) ?? type,
    provider: textOf(resource?.provider) ?? '',
    count: 1,
    instances: /^\d+$/.test(key) ? [{ index_key: Number(key) }] : [],
  }
}
