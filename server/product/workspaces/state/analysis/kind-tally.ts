/** Characters that the names of all listed resources may have, and those of all kinds; ordinary states need a third. */
export const maxNameCharacters = 1024 * 1024

/** Kinds of resources beyond this number are counted in the total, but not for their module and provider. */
const maxTalliedKinds = 2_000

/** Counts by group and type; names come from files, so they are not used as keys of plain objects until the end. */
export class Tally {
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
