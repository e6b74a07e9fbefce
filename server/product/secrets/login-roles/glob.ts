/** Tells whether a whole value matches a pattern. */
export type Glob = (value: string) => boolean

/**
 * Prepares a pattern. `*` stands for any characters, or none; every other character stands for itself, and a star in
 * the value is an ordinary character. The parts between stars are found leftmost first and do not overlap, so there is
 * no backtracking.
 */
export function compileGlob(pattern: string): Glob {
  const parts = pattern.split('*')
  const [first = ''] = parts
  if (parts.length === 1) return (value) => value === pattern
  const last = parts.at(-1) ?? ''
  const between = parts.slice(1, -1)
  const least = first.length + last.length
  return (value) =>
    value.length >= least &&
    value.startsWith(first) &&
    value.endsWith(last) &&
    containsInOrder(between, value, { from: first.length, to: value.length - last.length })
}

function containsInOrder(parts: readonly string[], value: string, { from, to }: { from: number; to: number }): boolean {
  let at = from
  for (const part of parts) {
    const found = value.indexOf(part, at)
    if (found < 0 || found + part.length > to) return false
    at = found + part.length
  }
  return true
}

/** Patterns of which one must match, prepared for many values: certificates may have thousands of names. */
export class Globs {
  readonly #exact: ReadonlySet<string>
  readonly #globs: readonly Glob[]

  constructor(patterns: readonly string[]) {
    this.#exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
    this.#globs = patterns.filter((pattern) => pattern.includes('*')).map(compileGlob)
  }

  /** True if one of the values matches one of the patterns. */
  matchAny(values: readonly string[]): boolean {
    return values.some((value) => this.#exact.has(value) || this.#globs.some((matches) => matches(value)))
  }
}
