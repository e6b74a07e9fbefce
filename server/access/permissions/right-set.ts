/** A set of named rights, kept as bits: unions over many teams cost one operation each. */
export type RightSet<N extends string> = number & { readonly __rights: N }

/** The rights of one kind of resource, by the names clients read in `permissions`. */
type Rights<N extends string> = {
  readonly names: readonly N[]
  readonly none: RightSet<N>
  readonly all: RightSet<N>
  of(...names: readonly N[]): RightSet<N>
  union(...sets: readonly RightSet<N>[]): RightSet<N>
  without(set: RightSet<N>, ...names: readonly N[]): RightSet<N>
  has(set: RightSet<N>, name: N): boolean
  /** True if everything in `part` is in `set`. */
  includes(set: RightSet<N>, part: RightSet<N>): boolean
  /** Every name with true or false, as sent to clients. The object is shared: do not change it. */
  flags(set: RightSet<N>): Readonly<Record<N, boolean>>
}

/** Declares rights; at most 31, one bit each. */
export function defineRights<const N extends string>(names: readonly N[]): Rights<N> {
  const bits = new Map<N, number>(names.map((name, index) => [name, 1 << index]))
  const bit = (name: N): number => bits.get(name) ?? 0
  const join = (sets: readonly number[]): RightSet<N> => sets.reduce((a, b) => a | b, 0) as RightSet<N>
  const shown = new Map<number, Readonly<Record<N, boolean>>>()
  const flags = (set: RightSet<N>): Readonly<Record<N, boolean>> => {
    const known = shown.get(set)
    if (known) return known
    const made = Object.fromEntries(names.map((name) => [name, (set & bit(name)) !== 0])) as Record<N, boolean>
    if (shown.size < 10_000) shown.set(set, made)
    return made
  }
  return {
    names,
    none: 0 as RightSet<N>,
    all: join(names.map(bit)),
    of: (...wanted) => join(wanted.map(bit)),
    union: (...sets) => join(sets),
    without: (set, ...unwanted) => (set & ~join(unwanted.map(bit))) as RightSet<N>,
    has: (set, name) => (set & bit(name)) !== 0,
    includes: (set, part) => (part & ~set) === 0,
    flags,
  }
}
