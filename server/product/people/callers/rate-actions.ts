import { LRUCache } from 'lru-cache'
import type { Principal } from '../../../kernel/principal.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { RequestFacts } from '../../../kit/endpoint.ts'
import type { CallerService } from '../../../kit/services.ts'
import { type Bucket, takeFromBucket, unlimitedRate } from './rate-rules.ts'

/** All tokens of one caller share a bucket; unknown callers are counted by address. */
const keyOf = (caller: Principal, request: Pick<RequestFacts, 'remoteAddress'>): string =>
  caller.kind === 'anonymous' ? `address:${request.remoteAddress}` : `${caller.kind}:${caller.id}`

/** Counts requests against the allowances of their callers. */
export function rateLimiter({
  clock,
  settings: { apiRateLimit: perSecond },
}: Pick<Deps, 'clock' | 'settings'>): CallerService['takeFromRateLimit'] {
  if (perSecond <= 0) return () => unlimitedRate
  const buckets = new LRUCache<string, Bucket>({ max: 20_000 })
  return (caller, request) => {
    const key = keyOf(caller, request)
    const { bucket, state } = takeFromBucket(buckets.get(key), perSecond, clock.monotonic() / 1_000)
    buckets.set(key, bucket)
    return state
  }
}
