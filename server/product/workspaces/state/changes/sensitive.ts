import { membersOf } from '../analysis/state-fields.ts'

/** The names that lead to a value; list positions are left out, so that the whole list counts. */
export type SensitivePath = readonly string[]

/** The paths that an instance marks as sensitive: steps by name, and by index, which end the path here. */
export function sensitivePathsOf(marked: unknown): SensitivePath[] {
  if (!Array.isArray(marked)) return []
  return marked.map((steps: unknown) => {
    const path: string[] = []
    for (const step of Array.isArray(steps) ? steps : []) {
      const name = nameOf(step)
      if (name === undefined) break
      path.push(name)
    }
    return path
  })
}

/** A step by name, or by a key of a map; undefined for a position in a list. */
function nameOf(step: unknown): string | undefined {
  const { type, value } = membersOf(step) ?? {}
  const key = type === 'index' ? membersOf(value)?.value : value
  return typeof key === 'string' ? key : undefined
}

/** Older writers mark nothing that only the provider knows to be secret: then the name has to tell. */
const tellingName =
  /passw|secret|token|private_?key|passphrase|credential|certificate_key|access_?key|api_?key|key_material/i

/** True if the value at this path is sensitive, contains something that is, or lies within it. */
export const isSensitive = (path: readonly string[], sensitive: readonly SensitivePath[]): boolean =>
  path.some((name) => tellingName.test(name)) ||
  sensitive.some((other) => other.every((name, at) => at >= path.length || path[at] === name))
