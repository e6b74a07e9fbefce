import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'

/** So many requests in an interval, for each client address, below a path. */
export type Quota = {
  readonly name: string
  /** Empty for everything; with a trailing `*` a prefix; otherwise the path itself and everything below it. */
  readonly path: string
  readonly rate: number
  readonly intervalSeconds: number
  /** How long a client that exceeded the quota is refused; 0 for no longer than the interval requires. */
  readonly blockSeconds: number
}

/** Status routes are never limited: a supervisor that cannot see that a server is alive would restart it. */
const exemptPaths: ReadonlySet<string> = new Set([
  'sys/health',
  'sys/seal-status',
  'sys/unseal',
  'sys/init',
  'sys/leader',
])

/** True if a quota covers a path. */
export function coversPath({ path }: Pick<Quota, 'path'>, request: string): boolean {
  if (path === '') return true
  if (path.endsWith('*')) return request.startsWith(path.slice(0, -1))
  const plain = withoutSlash(path)
  return request === plain || request.startsWith(`${plain}/`)
}

/**
 * True if there are mounts whose requests a quota covers. Otherwise it is probably misspelt, and would leave unlimited what
 * it is meant to limit. No request has an empty segment.
 */
export function coversMounts({ path }: Pick<Quota, 'path'>, mountPaths: readonly string[]): boolean {
  if (path === '') return true
  const start = path.endsWith('*') ? path.slice(0, -1) : `${withoutSlash(path)}/`
  return !start.includes('//') && mountPaths.some((mount) => start.startsWith(mount) || mount.startsWith(start))
}

/** True if two quotas cover the same paths, with or without a slash at the end. */
export const coversSamePaths = (a: Pick<Quota, 'path'>, b: Pick<Quota, 'path'>): boolean =>
  withoutSlash(a.path) === withoutSlash(b.path)

/** The quotas of a mount's own path and of those inside it, as they are after its move. Paths of mounts end in a slash. */
export const movedQuotas = (quotas: readonly Quota[], from: string, to: string): readonly Quota[] =>
  quotas
    .filter(({ path }) => `${path}/`.startsWith(from))
    .map((quota) => ({ ...quota, path: withoutSlash(`${to}${`${quota.path}/`.slice(from.length)}`) }))

const withoutSlash = (path: string): string => path.replace(/\/$/, '')

/** Of the quotas that cover a path, the one with the longest path of its own. */
export function quotaFor(quotas: readonly Quota[], request: string): Quota | undefined {
  if (exemptPaths.has(request)) return undefined
  let best: Quota | undefined
  for (const quota of quotas) {
    if (coversPath(quota, request) && (!best || quota.path.length > best.path.length)) best = quota
  }
  return best
}

type Bucket = { left: number; at: number; blockedUntil: number }

const maxClients = 50_000
/** A year: the least rates that can be written would give a time that clients cannot read. */
const longestWait = 365 * 24 * 60 * 60

/** Counts the requests of each client against one quota. Time is monotonic, in milliseconds. */
export class ClientBuckets {
  readonly #quota: Quota
  readonly #buckets = new LRUCache<string, Bucket>({ max: maxClients })

  constructor(quota: Quota) {
    this.#quota = quota
  }

  /** True if this is what the buckets count against, to the last field. */
  isFor(quota: Quota): boolean {
    return isDeepStrictEqual(quota, this.#quota)
  }

  /** Takes one request; 0 if it may go on, else the seconds after which a new try makes sense. */
  take(client: string, now: number): number {
    const { rate, intervalSeconds, blockSeconds } = this.#quota
    // There is always room for one request, however slow the rate is; otherwise none would ever be allowed.
    const most = Math.max(rate, 1)
    const bucket = this.#buckets.get(client) ?? { left: most, at: now, blockedUntil: 0 }
    this.#buckets.set(client, bucket)
    if (now < bucket.blockedUntil) return Math.ceil((bucket.blockedUntil - now) / 1000)
    const perMs = rate / (intervalSeconds * 1000)
    bucket.left = Math.min(most, bucket.left + (now - bucket.at) * perMs)
    bucket.at = now
    if (bucket.left >= 1) {
      bucket.left -= 1
      return 0
    }
    if (blockSeconds > 0) bucket.blockedUntil = now + blockSeconds * 1000
    return Math.max(1, blockSeconds || Math.min(longestWait, Math.ceil((1 - bucket.left) / perMs / 1000)))
  }
}

/** Of the buckets that were counted so far, by the names of their quotas, those whose quota is still the same. */
export const keptBuckets = (
  counted: ReadonlyMap<string, ClientBuckets>,
  quotas: readonly Quota[],
): Map<string, ClientBuckets> =>
  new Map([...counted].filter(([name, buckets]) => quotas.some((quota) => quota.name === name && buckets.isFor(quota))))
