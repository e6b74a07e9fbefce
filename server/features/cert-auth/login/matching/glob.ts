/**
 * True if the whole value matches the pattern. `*` stands for any characters, none included; every other character stands
 * for itself, and a star in the value is an ordinary character. The parts between stars are found leftmost first and do not
 * overlap, so the work grows with the lengths and never with their product of stars.
 */
export function matchesGlob(pattern: string, value: string): boolean {
  const parts = pattern.split('*')
  const [first = ''] = parts
  if (parts.length === 1) return value === pattern
  const last = parts.at(-1) ?? ''
  if (value.length < first.length + last.length || !value.startsWith(first) || !value.endsWith(last)) return false
  const end = value.length - last.length
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = value.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

/** True if one of the values matches one of the patterns. */
export const matchesAny = (patterns: readonly string[], values: readonly string[]): boolean =>
  patterns.some((pattern) => values.some((value) => matchesGlob(pattern, value)))
