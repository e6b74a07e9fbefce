import type { Instant } from '../../../../kernel/clock.ts'
import { sentAddress, shownAddress } from '../../../../kernel/hidden-credentials.ts'

/** The systems that a release can be downloaded for. */
export const systems = ['linux'] as const

/** The processors that a release can be downloaded for. */
export const processors = ['amd64', 'arm64', 's390x'] as const

/** A build of a release for one platform. */
export type Build = {
  readonly url: string
  readonly sha: string
  readonly os: (typeof systems)[number]
  readonly arch: (typeof processors)[number]
}

/** The builds of a release; `url` and `sha` are those of its build for the first platform, null without one. */
export type Builds = { readonly url: string | null; readonly sha: string | null; readonly archs: readonly Build[] }

const firstPlatform = { os: systems[0], arch: processors[0] } as const

/** A release without known downloads. */
export const noBuilds: Builds = { url: null, sha: null, archs: [] }

/** The builds of a release that was described by `url` and `sha` alone. */
export const onlyBuild = (url: string | null, sha: string | null): Build[] =>
  url && sha ? [{ url, sha, ...firstPlatform }] : []

/**
 * The builds after a change: a list replaces all builds, and so does the single build that `url` and `sha` describe.
 */
export function changedBuilds(before: Builds, requested: Partial<Builds>): Builds {
  if (requested.archs) {
    const first = requested.archs.find(({ os, arch }) => os === firstPlatform.os && arch === firstPlatform.arch)
    return { url: first?.url ?? null, sha: first?.sha ?? null, archs: requested.archs }
  }
  const { url = before.url, sha = before.sha } = requested
  const isSame = requested.url === undefined && requested.sha === undefined
  return { url, sha, archs: isSame ? before.archs : onlyBuild(url, sha) }
}

/** The builds as they may be shown: downloads may need credentials. */
export const shownBuilds = ({ url, sha, archs }: Builds): Builds => ({
  url: url && shownAddress(url),
  sha,
  archs: archs.map((build) => ({ ...build, url: shownAddress(build.url) })),
})

/** What was asked for, with the stored address in place of one that was sent as it is shown; undefined if none is. */
export function wholeBuilds(before: Builds, requested: Partial<Builds>): Partial<Builds> | undefined {
  const stored = [...(before.url ? [before.url] : []), ...before.archs.map(({ url }) => url)]
  const url = requested.url && sentAddress(requested.url, stored)
  const archs = requested.archs?.flatMap((build) => {
    const whole = sentAddress(build.url, stored)
    return whole === undefined ? [] : [{ ...build, url: whole }]
  })
  if ((requested.url && !url) || archs?.length !== requested.archs?.length) return undefined
  return { ...requested, ...(url ? { url } : {}), ...(archs ? { archs } : {}) }
}

/** What is wrong with a list of builds. */
export const buildsProblem = (builds: readonly Build[]): string | undefined =>
  new Set(builds.map((build) => `${build.os}/${build.arch}`)).size < builds.length
    ? 'may have one entry for each platform'
    : undefined

/** What is wrong with the address of a download. */
export const downloadProblem = (url: string): string | undefined =>
  /^https?:$/.test(URL.parse(url)?.protocol ?? '') ? undefined : 'must be a URL that begins with http:// or https://'

/** What is wrong with the digest of a download. */
export const digestProblem = (sha: string): string | undefined =>
  /^[0-9a-f]{64}$/i.test(sha) ? undefined : 'must be a SHA-256 in 64 hexadecimal digits'

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

const operators = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '~>': (order) => order >= 0,
} as const satisfies Readonly<Record<string, (order: number) => boolean>>

/** One comparison of a constraint. */
type Term = {
  readonly operator: keyof typeof operators
  readonly version: SemanticVersion
  /** How many numbers of its version were given. */
  readonly parts: number
}

/** What a workspace asks for: a tool (or the organization's) and an exact version, a constraint, or the newest. */
type VersionRequest = { readonly tool: string | undefined } & (
  | { readonly kind: 'latest' }
  | { readonly kind: 'exact'; readonly version: string }
  | { readonly kind: 'constraint'; readonly terms: readonly Term[] }
)

/** A release in the catalogue. */
export type ToolVersion = {
  readonly id: string
  readonly tool: string
  readonly version: string
  readonly enabled: boolean
  readonly official: boolean
  readonly beta: boolean
  readonly deprecated: boolean
  readonly deprecatedReason: string | null
  readonly createdAt: Instant
} & Builds

/** A release that can be chosen. */
export type Release = { readonly tool: string; readonly version: string; readonly beta: boolean }

const term = /^(=|!=|>=|<=|>|<|~>)?\s*(\d+(?:\.\d+){0,2})(-[0-9A-Za-z.-]+)?$/

/**
 * Reads `1.9.4`, `~> 1.9, != 1.9.2`, `latest`, each optionally after `tool:`; undefined if the text is none of them.
 */
export function readVersionRequest(text: string): VersionRequest | undefined {
  if (text.length > 256) return undefined
  const [, tool, rest = ''] = /^(?:([a-z][a-z0-9-]*):)?\s*(.*?)\s*$/s.exec(text) ?? []
  if (rest === 'latest') return { tool, kind: 'latest' }
  if (readVersion(rest)) return { tool, kind: 'exact', version: rest }
  const terms = rest.split(',').map((part) => readTerm(part.trim()))
  return terms.every((each) => each !== undefined) ? { tool, kind: 'constraint', terms } : undefined
}

/** `1.9` alone is neither a version nor a constraint: it could mean 1.9.0 as well as the newest 1.9. */
function readTerm(text: string): Term | undefined {
  const [, sign, numbers, suffix = ''] = term.exec(text) ?? []
  if (numbers === undefined) return undefined
  const parts = numbers.split('.').length
  if (sign === undefined && parts < 3) return undefined
  const operator = sign ?? '='
  const version = readVersion(`${numbers}${'.0'.repeat(3 - parts)}${suffix}`)
  return version && { operator: operator as Term['operator'], version, parts }
}

/** A tool, and one of its releases. */
type ChosenRelease = Pick<Release, 'tool' | 'version'>

/**
 * The newest release that a request allows; undefined if none does. An exact version need not be in the catalogue. A
 * request that names no tool gets the default one, or another if only that has such a release or can have it.
 */
export function resolveVersion(
  request: VersionRequest,
  releases: readonly Release[],
  defaultTool: string,
): ChosenRelease | undefined {
  const tool = request.tool ?? defaultTool
  const own = newestAllowed(
    request,
    releases.filter((release) => release.tool === tool),
  )
  const chosen = own ?? (request.tool === undefined ? newestAllowed(request, releases) : undefined)
  if (chosen || request.kind !== 'exact') return chosen
  return { tool: request.tool ?? toolOf(request.version, releases, defaultTool), version: request.version }
}

/** The tool of a version that is not in the catalogue: the default one, unless that began later and another did not. */
function toolOf(version: string, releases: readonly Release[], defaultTool: string): string {
  const oldestFirst = releases.toSorted((a, b) => compareWritten(a.version, b.version))
  const first = oldestFirst.find(({ tool }) => tool === defaultTool)
  if (!first || isAtLeast(version.replace(/-.*/, ''), first.version)) return defaultTool
  return oldestFirst[0]?.tool ?? defaultTool
}

/** The newest release that a request allows, of the first tool that has one. */
const newestAllowed = (request: VersionRequest, releases: readonly Release[]): Release | undefined =>
  releases.reduce<Release | undefined>((best, release) => {
    const isBetter = best === undefined || byVersion(release, best) < 0
    return isBetter && allows(request, release) ? release : best
  }, undefined)

function allows(request: VersionRequest, { version: text, beta }: Release): boolean {
  if (request.kind === 'exact') return text === request.version
  const version = readVersion(text)
  if (!version) return false
  const prerelease = beta || version.prerelease.length > 0
  if (request.kind !== 'constraint') return !prerelease
  // A prerelease is chosen only by constraints that name a prerelease of the same version.
  const named = request.terms.some(
    (each) => each.version.prerelease.length > 0 && hasSameNumbers(each.version, version, 3),
  )
  return (!prerelease || named) && request.terms.every((each) => meets(version, each))
}

const hasSameNumbers = (a: SemanticVersion, b: SemanticVersion, first: number): boolean =>
  a.numbers.every((number, at) => at >= first || number === b.numbers[at])

/** With `~>`, only the last number that was given may rise. */
function meets(version: SemanticVersion, { operator, version: bound, parts }: Term): boolean {
  if (operator === '~>' && !hasSameNumbers(version, bound, parts - 1)) return false
  return operators[operator](compareVersions(version, bound))
}

/** True if the version is at least this one; a constraint counts by what it resolves to. */
export const isAtLeast = (version: string | undefined, least: string): boolean =>
  version !== undefined && compareWritten(version, least) >= 0

/** What is wrong with the version of a release. */
export const exactVersionProblem = (version: string): string | undefined =>
  readVersion(version) ? undefined : 'must be an exact version such as 1.9.4'

/** Below zero if the first is older; a text that is not a version is older than any. */
function compareWritten(a: string, b: string): number {
  const [one, other] = [readVersion(a), readVersion(b)]
  return one && other ? compareVersions(one, other) : Number(one !== undefined) - Number(other !== undefined)
}

/** Newest first, one tool after the other. */
export const byVersion = (a: Release, b: Release): number =>
  a.tool === b.tool ? compareWritten(b.version, a.version) : a.tool < b.tool ? -1 : 1
