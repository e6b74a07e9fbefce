import { type Instant, later } from '../kernel/clock.ts'
import type { Mount } from '../kit/mount.ts'

/** The lifetimes that hold at a mount, in seconds. */
export type MountTtls = { readonly defaultLeaseTtl: number; readonly maxLeaseTtl: number }

/** The lifetimes that hold at a mount: its own where it is tuned, else the server's. */
export const ttlsOf = ({ settings }: { readonly settings: MountTtls }, mount: Mount | undefined): MountTtls => ({
  defaultLeaseTtl: mount?.config.defaultLeaseTtl || settings.defaultLeaseTtl,
  maxLeaseTtl: mount?.config.maxLeaseTtl || settings.maxLeaseTtl,
})

/** What decides how long a token lives from now on. Lifetimes are whole seconds; 0 or nothing means not set. */
export type TtlInputs = {
  readonly now: Instant
  /** When the token was issued; at creation the same as now. */
  readonly issuedAt: Instant
  readonly mount: MountTtls
  /** What the request for renewal asks for. */
  readonly increment?: number
  /** What the role or the request for creation asks for. */
  readonly ttl?: number
  readonly period?: number
  readonly maxTtl?: number
  readonly explicitMaxTtl?: number
}

/** The lifetime from now on, or that there is none left. */
export type TtlDecision =
  | { readonly ok: true; readonly ttl: number; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly why: 'past-max-ttl' }

/** The smaller of two limits of which 0 means none. */
export const lesserLimit = (a: number, b: number): number => (a > 0 && b > 0 ? Math.min(a, b) : a + b)

/** The words clients know for a token that has reached its maximum. */
export const pastMaxTtlText = 'past the max TTL, cannot renew'

/** The most a token may live: the mount's maximum, lowered by the role's and by the explicit one. */
export function effectiveMaxTtl({ mount, maxTtl, explicitMaxTtl }: Omit<TtlInputs, 'now' | 'issuedAt'>): number {
  const bounds = [mount.maxLeaseTtl, maxTtl ?? 0, explicitMaxTtl ?? 0]
  return Math.min(...bounds.filter((bound) => bound > 0))
}

/** Computes how long a token lives from now on: at creation, at login and at renewal. */
export function computeTtl(inputs: TtlInputs): TtlDecision {
  const { period = 0, explicitMaxTtl = 0 } = inputs
  const most = effectiveMaxTtl(inputs)
  if (period < 1) return shorten(wantedTtl(inputs), most, inputs, [])
  const warnings =
    period > most ? [`the period of ${period} seconds is above the maximum TTL and was lowered to ${most} seconds`] : []
  return shorten(Math.floor(Math.min(period, most)), explicitMaxTtl, inputs, warnings)
}

/** The first that is set: what the renewal asks for, what role or request say, the mount's default. */
const wantedTtl = ({ increment, ttl, mount }: TtlInputs): number =>
  Math.floor(increment ?? 0) || Math.floor(ttl ?? 0) || mount.defaultLeaseTtl

/**
 * Shortens a lifetime to what is left of the longest one since the token was issued (0: no end). Less than a second left
 * counts as nothing left, since a lifetime of 0 would mean a token without end.
 */
function shorten(
  wanted: number,
  longest: number,
  { now, issuedAt }: TtlInputs,
  warnings: readonly string[],
): TtlDecision {
  if (longest <= 0) return { ok: true, ttl: wanted, warnings }
  const left = (later(issuedAt, longest * 1_000) - now) / 1_000
  const remaining = Math.floor(left)
  if (remaining <= 0) return { ok: false, why: 'past-max-ttl' }
  // The part of a second that has passed since the token was issued is not worth a warning.
  if (wanted <= Math.ceil(left)) return { ok: true, ttl: Math.min(wanted, remaining), warnings }
  const shortened = `a TTL of ${wanted} seconds is above the maximum TTL and was lowered to ${remaining} seconds`
  return { ok: true, ttl: remaining, warnings: [...warnings, shortened] }
}
