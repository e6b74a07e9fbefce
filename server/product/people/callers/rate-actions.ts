import { LRUCache } from 'lru-cache'
import type { Principal } from '../../../kernel/principal.ts'
import type { RateState } from '../../../kit/access.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import type { RequestFacts } from '../../../kit/endpoint.ts'
import { type Bucket, takeFromBucket, unlimitedRate } from './rate-rules.ts'

const buckets = perApp(() => new LRUCache<string, Bucket>({ max: 20_000 }))

/** All tokens of one caller share a bucket; unknown callers are counted by address. */
const keyOf = (caller: Principal, request: Pick<RequestFacts, 'remoteAddress'>): string =>
  caller.kind === 'anonymous' ? `address:${request.remoteAddress}` : `${caller.kind}:${caller.id}`

/** Counts a request against its caller's allowance. */
export function takeFromRateLimit(
  deps: Pick<Deps, 'clock' | 'settings' | 'store'>,
  caller: Principal,
  request: Pick<RequestFacts, 'remoteAddress'>,
): RateState {
  const perSecond = deps.settings.apiRateLimit
  if (perSecond <= 0) return unlimitedRate
  const known = buckets(deps)
  const key = keyOf(caller, request)
  const { bucket, state } = takeFromBucket(known.get(key), perSecond, deps.clock.monotonic() / 1_000)
  known.set(key, bucket)
  return state
}
