/** A path of a policy, taken apart once. */
export type PathPattern = {
  /** The whole pattern, its final `*` included. */
  readonly text: string
  /** The pattern split at slashes, without the final `*`. */
  readonly segments: readonly string[]
  /** True if it ends in `*`: everything that begins with the rest matches. */
  readonly glob: boolean
  /** How many segments are `+`. */
  readonly plusCount: number
  /** Where the first `+` segment or the final `*` is; infinite for an exact path. */
  readonly firstWildcard: number
}

/** Takes a pattern apart. `*` counts at the very end only, `+` only as a whole segment; elsewhere both are plain text. */
export function parsePathPattern(text: string): PathPattern {
  const glob = text.endsWith('*')
  const fixed = glob ? text.slice(0, -1) : text
  const segments = fixed.split('/')
  let plusCount = 0
  let firstWildcard = glob ? fixed.length : Number.POSITIVE_INFINITY
  let start = 0
  for (const segment of segments) {
    if (segment === '+') {
      plusCount += 1
      firstWildcard = Math.min(firstWildcard, start)
    }
    start += segment.length + 1
  }
  return { text, segments, glob, plusCount, firstWildcard }
}

/** True if the pattern names one path and no other. */
export const isExact = (pattern: PathPattern): boolean => pattern.firstWildcard === Number.POSITIVE_INFINITY

/**
 * Which of two patterns is more specific for a path that both match: above zero for the first, below for the second, zero
 * if neither. In order: the later first wildcard, no glob before glob, fewer `+`, the longer text.
 */
export function compareSpecificity(a: PathPattern, b: PathPattern): number {
  if (a.firstWildcard !== b.firstWildcard) return a.firstWildcard > b.firstWildcard ? 1 : -1
  if (a.glob !== b.glob) return a.glob ? -1 : 1
  if (a.plusCount !== b.plusCount) return b.plusCount - a.plusCount
  return a.text.length - b.text.length
}

/** The order in which patterns win: by how exact they are, then the one that sorts later. */
export function comparePriority(a: PathPattern, b: PathPattern): number {
  const specificity = compareSpecificity(a, b)
  if (specificity !== 0 || a.text === b.text) return specificity
  return a.text > b.text ? 1 : -1
}
