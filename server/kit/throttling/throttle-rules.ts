import { parseAddress, showAddress } from '../../kernel/address-range.ts'
import { type Instant, later } from '../../kernel/clock.ts'
import { backOff } from '../../kernel/pause.ts'

/** Something whose failed attempts are counted, how many are free, and the longest wait after more, in milliseconds. */
export type AttemptCounter = {
  readonly key: string
  readonly free: number
  readonly longest: number
  /** True if attempts of others are counted here too: a success takes back its own count only. */
  readonly isShared: boolean
  /** After so many milliseconds without a failure they are forgotten; a quarter of an hour if left out. */
  readonly lifetime?: number
}

/** What may be set about the attempts of one name from one place, in milliseconds. */
export type PairLimits = { readonly free: number; readonly longest: number; readonly lifetime: number }

/** Failures are forgotten after a quarter of an hour without one. */
export const failureLifetime = 15 * 60_000

/** Nothing that is set about attempts is longer than a day. */
export const longestLifetime = 24 * 60 * 60_000

/** What holds for one name from one place unless something else is set. */
export const defaultPairLimits: PairLimits = { free: 5, longest: failureLifetime, lifetime: failureLifetime }

/** No name or address of a person is longer, and not every database can search for a text of any length. */
const longestName = 254

/** Everybody with an IPv6 address has the whole /64 around it (RFC 6177 §2), so that counts as one place. */
function placeOf(address: string): string {
  const parsed = parseAddress(address)
  if (!parsed) return address
  if (parsed.kind() === 'ipv4') return showAddress(parsed)
  return `${Buffer.from(parsed.toByteArray().slice(0, 8)).toString('hex')}/64`
}

/** Names are not secret. This slows down those who guess from many places, but does not lock the owner out. */
const maxWaitPerName = 30_000

const knownAs = (name: string, accessor: string): string =>
  (accessor === '' ? name : `${accessor}|${name}`).slice(0, longestName)

/** What the keys of the counters of a mount, or of one name there, begin with. */
export const mountKeys = (accessor: string, name?: string): readonly string[] =>
  name === undefined
    ? [`pair:${accessor}|`, `name:${accessor}|`]
    : [`pair:${knownAs(name, accessor)}|`, `name:${knownAs(name, accessor)}`]

/** The name that a counter of a mount is about. */
export const nameInKey = (key: string): string =>
  key.startsWith('pair:') ? key.slice(key.indexOf('|') + 1, key.lastIndexOf('|')) : key.slice(key.indexOf('|') + 1)

/**
 * Three counters: this name from this place, this name from anywhere, anything from this place. Names of an auth method
 * are counted apart from others, by the accessor of the mount.
 */
export function countersFor(
  name: string | undefined,
  address: string,
  accessor = '',
  pairLimits = defaultPairLimits,
): readonly AttemptCounter[] {
  const place = placeOf(address)
  const anything = { key: `address:${place}`, free: 50, longest: failureLifetime, isShared: true }
  if (name === undefined) return [anything]
  const known = knownAs(name, accessor)
  return [
    { key: `pair:${known}|${place}`, ...pairLimits, isShared: false },
    { key: `name:${known}`, free: 30, longest: maxWaitPerName, isShared: false },
    anything,
  ]
}

/** Somebody with a stolen session or token must not guess the password with it; counted wherever the requests come from. */
export const passwordCounter = (userId: string): AttemptCounter => ({
  key: `password:${userId}`,
  free: 5,
  longest: failureLifetime,
  isShared: false,
})

/** How long to wait after so many failures: a second when the free ones are used up, doubled with each further one. */
export const waitAfter = (failures: number, { free, longest }: Pick<AttemptCounter, 'free' | 'longest'>): number =>
  failures < free ? 0 : backOff({ first: 1_000, longest }, failures - free + 1)

/** True if a block is in force. One that ends later than any can was made before the clock was set back. */
export const isBlocking = (until: Instant, now: Instant, longest = failureLifetime): boolean =>
  until > now && until <= later(now, longest)

/** Seconds to wait, rounded up. */
export const secondsUntil = (until: Instant, now: Instant): number => Math.max(1, Math.ceil((until - now) / 1_000))

/** A wait in words: seconds up to two minutes, then whole minutes. */
export const waitText = (seconds: number): string =>
  seconds === 1 ? '1 second' : seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
