import { maxNameCharacters } from './kind-tally.ts'

/** Instances beyond this number are counted, but not listed one by one. */
export const listedInstances = 2_000

/** The keys of the instances of a resource: `counted` for numbers from 0 on, or each key. */
export type InstanceKeys = 'counted' | readonly (string | number)[]

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
