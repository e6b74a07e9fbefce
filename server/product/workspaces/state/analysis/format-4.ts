import { type Members, membersOf, textOf } from './members.ts'
import { type Counted, ResourceCount } from './resource-count.ts'

/** The resources of a state of format 4, taken one by one. */
export class ResourceList {
  #count = new ResourceCount()
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

  /** Forgets all: a file that has two lists means the second. */
  clear(): void {
    this.#count = new ResourceCount()
    this.#begun = 0
    this.#taken = 0
    this.#hidesInstances = false
  }

  /** An entry of the list begins; `add` follows if it is a resource. */
  begin(): void {
    this.#begun++
  }

  /** Takes a resource that has so many instances; of those it need not have more than the first. */
  add(resource: unknown, instances: number): void {
    const members = membersOf(resource)
    if (!members) return
    this.#taken++
    const { instances: first = null } = members
    if (Array.isArray(first)) this.#count.add(countedFrom(members, first, instances))
    else if (first === null) this.#count.add(countedFrom(members, [], 0))
    else this.#hidesInstances = true
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
  result(): ReturnType<ResourceCount['result']> {
    return this.#count.result()
  }
}

const countedFrom = (resource: Members, instances: readonly unknown[], count: number): Counted => ({
  managed: resource.mode !== 'data',
  name: textOf(resource.name) ?? '',
  type: textOf(resource.type) ?? '',
  module: textOf(resource.module) ?? 'root',
  provider: textOf(resource.provider) ?? '',
  count,
  instances,
})
