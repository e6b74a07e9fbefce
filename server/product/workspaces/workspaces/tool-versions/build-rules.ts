import { sentAddress, shownAddress } from '../../../../kernel/hidden-credentials.ts'

/** The systems that a release can be downloaded for. */
export const systems = ['linux'] as const

/** The processors that a release can be downloaded for. */
export const processors = ['amd64', 'arm64'] as const

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
