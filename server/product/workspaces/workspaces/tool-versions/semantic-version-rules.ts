/** A parsed version. Numbers stay text: they may have more digits than a double can hold. */
export type SemanticVersion = {
  readonly numbers: readonly [major: string, minor: string, patch: string]
  readonly prerelease: readonly string[]
}

const number = '0|[1-9]\\d*'
const identifier = `${number}|\\d*[A-Za-z-][0-9A-Za-z-]*`
const prerelease = `(?:-((?:${identifier})(?:\\.(?:${identifier}))*))?`
const build = '(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?'
const pattern = new RegExp(`^(${number})\\.(${number})\\.(${number})${prerelease}${build}$`)

/** Reads a version by the grammar of semantic versions 2.0.0; undefined if it is not one. */
export function readVersion(text: string): SemanticVersion | undefined {
  const [, major, minor, patch, suffix] = pattern.exec(text) ?? []
  if (major === undefined || minor === undefined || patch === undefined) return undefined
  return { numbers: [major, minor, patch], prerelease: suffix?.split('.') ?? [] }
}

/** Below zero if the first comes before the second (semantic versions 2.0.0, §11). Build metadata is ignored. */
export function compareVersions(a: SemanticVersion, b: SemanticVersion): number {
  const byNumbers = firstDifference(a.numbers, b.numbers, compareNumbers)
  if (byNumbers !== 0) return byNumbers
  // A prerelease is older than its release.
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length
  return firstDifference(a.prerelease, b.prerelease, compareIdentifiers) || a.prerelease.length - b.prerelease.length
}

type Compare = (a: string, b: string) => number

function firstDifference(a: readonly string[], b: readonly string[], compare: Compare): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const difference = compare(a[at] as string, b[at] as string)
    if (difference !== 0) return difference
  }
  return 0
}

const compareTexts: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

/** Digits without leading zeros: the longer one is the larger number. */
const compareNumbers: Compare = (a, b) => a.length - b.length || compareTexts(a, b)

const isNumber = (identifier: string): boolean => /^\d+$/.test(identifier)

/** Numbers come before words. */
const compareIdentifiers: Compare = (a, b) => {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b)
  return Number(isNumber(b)) - Number(isNumber(a)) || compareTexts(a, b)
}
