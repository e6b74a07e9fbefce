import { LRUCache } from 'lru-cache'
import type { Instant } from '../../../../../kernel/clock.ts'
import { textOf } from '../../../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../../../kit/deps.ts'
import type { JwtConfig } from '../config/config-fields.ts'
import { keyFromPem, type VerifyingKey } from './key.ts'
import { type FetchedKeys, fetchKeys, type KeyAddress } from './key-set-adapter.ts'

/** Milliseconds between two fetches of the same keys. */
const leastPause = 10_000

/** Keys are fetched anew after a day. While that fails, they are used for another day. */
const dayMs = 24 * 60 * 60_000

function addressesOf(config: JwtConfig): readonly KeyAddress[] {
  const { oidcDiscoveryUrl, oidcDiscoveryCaPem, jwksUrl, jwksCaPem, jwksPairs } = config
  if (oidcDiscoveryUrl !== '') return [{ kind: 'provider', url: oidcDiscoveryUrl, ca: oidcDiscoveryCaPem }]
  if (jwksUrl !== '') return [{ kind: 'key-set', url: jwksUrl, ca: jwksCaPem }]
  return jwksPairs.map(({ jwks_url: url, jwks_ca_pem: ca }) => ({ kind: 'key-set', url, ca }))
}

/** Fetches the keys of all addresses of a configuration; throws if one of them has none. */
export async function fetchAll(deps: Pick<Deps, 'outbound'>, config: JwtConfig): Promise<FetchedKeys> {
  const fetched = await Promise.all(addressesOf(config).map((address) => fetchKeys(deps, address)))
  return { keys: fetched.flatMap(({ keys }) => keys), issuer: fetched[0]?.issuer }
}

/** The keys of one mount in the memory of this process. */
class MountKeys {
  readonly #deps: Pick<Deps, 'outbound' | 'clock' | 'log'>
  readonly #config: JwtConfig
  #known: (FetchedKeys & { readonly at: Instant }) | undefined
  #triedAt: Instant | undefined
  #fetching: Promise<void> | undefined

  constructor(deps: Pick<Deps, 'outbound' | 'clock' | 'log'>, config: JwtConfig) {
    this.#deps = deps
    this.#config = config
  }

  /** The keys, fetched anew if they are old or `isEnough` misses one, as far as they may be fetched now. */
  async get(isEnough: (keys: readonly VerifyingKey[]) => boolean): Promise<FetchedKeys | undefined> {
    const known = this.#usable()
    const isOld = known !== undefined && this.#deps.clock.now() - known.at > dayMs
    if (known && !isOld && isEnough(known.keys)) return known
    await this.#refresh()
    return this.#usable()
  }

  #usable() {
    const known = this.#known
    return known && this.#deps.clock.now() - known.at <= 2 * dayMs ? known : undefined
  }

  /** All who wait share one request, and it is made once in a while, whatever key ids strangers make up. */
  async #refresh(): Promise<void> {
    const now = this.#deps.clock.now()
    if (!this.#fetching && this.#triedAt !== undefined && Math.abs(now - this.#triedAt) < leastPause) return
    this.#fetching ??= this.#load(now).finally(() => {
      this.#fetching = undefined
    })
    await this.#fetching
  }

  async #load(now: Instant): Promise<void> {
    this.#triedAt = now
    try {
      this.#known = { ...(await fetchAll(this.#deps, this.#config)), at: now }
    } catch (error) {
      this.#deps.log.warn({ error: textOf(error) }, 'the keys of a JWT login could not be fetched')
    }
  }
}

const keysByMount = perApp(
  () => new LRUCache<string, { readonly config: JwtConfig; readonly keys: MountKeys }>({ max: 1_000 }),
)

const staticKeys = new WeakMap<JwtConfig, FetchedKeys>()

function keysInConfig(config: JwtConfig): FetchedKeys {
  const known = staticKeys.get(config)
  if (known) return known
  const read = { keys: config.jwtValidationPubkeys.flatMap((pem) => keyFromPem(pem) ?? []), issuer: undefined }
  staticKeys.set(config, read)
  return read
}

/** What identifies the place of keys: when it changes, none of the keys before count. */
const placeIn = (config: JwtConfig): string => JSON.stringify(addressesOf(config))

/** The keys of a mount by which a token may be signed; undefined if they cannot be had now. */
export async function keysOf(
  deps: Pick<Deps, 'outbound' | 'clock' | 'log' | 'store'>,
  mountId: string,
  config: JwtConfig,
  isEnough: (keys: readonly VerifyingKey[]) => boolean,
): Promise<FetchedKeys | undefined> {
  if (config.jwtValidationPubkeys.length > 0) return keysInConfig(config)
  const all = keysByMount(deps)
  const known = all.get(mountId)
  const mine =
    known && placeIn(known.config) === placeIn(config) ? known : { config, keys: new MountKeys(deps, config) }
  if (mine !== known) all.set(mountId, mine)
  return await mine.keys.get(isEnough)
}
