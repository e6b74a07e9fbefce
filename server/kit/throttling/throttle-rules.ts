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
}

/** Failures are forgotten after a quarter of an hour without one. */
export const failureLifetime = 15 * 60_000

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

/**
 * Three counters: this name from this place, this name from anywhere, anything from this place. Names of an auth method
 * are counted apart from others, by the accessor of the mount.
 */
export function countersFor(name: string | undefined, address: string, accessor = ''): readonly AttemptCounter[] {
  const place = placeOf(address)
  const anything = { key: `address:${place}`, free: 50, longest: failureLifetime, isShared: true }
  if (name === undefined) return [anything]
  const known = accessor === '' ? name.slice(0, longestName) : `${accessor}|${name}`.slice(0, longestName)
  return [
    { key: `pair:${known}|${place}`, free: 5, longest: failureLifetime, isShared: false },
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
export const isBlocking = (until: Instant, now: Instant): boolean => until > now && until <= later(now, failureLifetime)

/** Seconds to wait, rounded up. */
export const secondsUntil = (until: Instant, now: Instant): number => Math.max(1, Math.ceil((until - now) / 1_000))

/** A wait in words: seconds up to two minutes, then whole minutes. */
export const waitText = (seconds: number): string =>
  seconds === 1 ? '1 second' : seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
