import type { RateState } from '../../../kit/access.ts'

/** What is left of a caller's allowance, as of a moment in seconds. */
export type Bucket = { readonly tokens: number; readonly at: number }

/** Takes one request from a bucket that holds one second's worth and fills steadily. */
export function takeFromBucket(
  bucket: Bucket | undefined,
  perSecond: number,
  at: number,
): { readonly bucket: Bucket; readonly state: RateState } {
  const passed = bucket ? Math.max(0, at - bucket.at) : 0
  const filled = bucket ? Math.min(perSecond, bucket.tokens + passed * perSecond) : perSecond
  const allowed = filled >= 1
  const tokens = allowed ? filled - 1 : filled
  const resetSeconds = tokens >= 1 ? 0 : (1 - tokens) / perSecond
  return { bucket: { tokens, at }, state: { allowed, limit: perSecond, remaining: Math.floor(tokens), resetSeconds } }
}

/** What callers are shown while nothing is limited. */
export const unlimitedRate: RateState = { allowed: true, limit: 0, remaining: 0, resetSeconds: 0 }
