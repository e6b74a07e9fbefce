import { type Instant, later } from '../../kernel/clock.ts'
import { type Failure, failure } from '../../kernel/failure.ts'
import { inBatches } from '../../storage/batches.ts'
import type { Tx } from '../../storage/open.ts'
import { inTransaction } from '../../storage/transaction.ts'
import type { Deps } from '../deps.ts'
import { defineJob, type Job } from '../job.ts'
import {
  type AttemptCounter,
  failureLifetime,
  isBlocking,
  longestLifetime,
  secondsUntil,
  waitAfter,
  waitText,
} from './throttle-rules.ts'
import {
  blockUntil,
  countFailure,
  type Failures,
  forgetFailures,
  forgetOldFailures,
  loadFailures,
  uncountAttempt,
} from './throttle-store.ts'

/** Forgets failed attempts that no longer count. */
export const attemptSweep: Job = defineJob({
  name: 'sign-in.sweep',
  every: '1h',
  jitter: '10m',
  run: async (deps) => {
    const now = deps.clock.now()
    // What mounts were told to count may be remembered for longer.
    const before = { others: later(now, -failureLifetime), mounts: later(now, -longestLifetime) }
    await inBatches(deps.db, (tx, limit) => forgetOldFailures(tx, before, limit))
  },
})

type ThrottleDeps = Pick<Deps, 'db' | 'clock'>

/** An attempt that was counted, and what was counted before it. */
type CountedAttempt = {
  readonly counters: readonly AttemptCounter[]
  readonly at: Instant
  readonly before: readonly Failures[]
}

/**
 * Counts an attempt before it is checked, so that concurrent ones are all counted. Throws when there were too many
 * before: what `refuse` makes of the seconds to wait. If the attempt succeeds, `forgetAttempt` takes its count back.
 */
export async function takeAttempt(
  deps: ThrottleDeps,
  counters: readonly AttemptCounter[],
  refuse: (seconds: number) => Failure = tooManyAttempts,
): Promise<CountedAttempt> {
  const at = deps.clock.now()
  const { before, blockedUntil } = await inTransaction(deps.db, async (tx) => {
    const keys = counters.map(({ key }) => key)
    const before = await loadFailures(tx, keys)
    const known = latestBlock(before, counters, at)
    return { before, blockedUntil: known > at ? known : latestBlock(await countAll(tx, counters, at), counters, at) }
  })
  if (blockedUntil <= at) return { counters, at, before }
  throw refuse(secondsUntil(blockedUntil, at))
}

const tooManyAttempts = (seconds: number): Failure =>
  failure('rate-limited', 'sign-in.throttled', `Too many failed attempts. Try again in ${waitText(seconds)}.`, {
    retryAfter: seconds,
  })

/** When the last of the blocks in force ends; 0 if there is none. */
const latestBlock = (all: readonly Failures[], counters: readonly AttemptCounter[], now: Instant): Instant => {
  const longest = new Map(counters.map((counter) => [counter.key, counter.longest]))
  const inForce = all.filter(({ key, blockedUntil }) => isBlocking(blockedUntil, now, longest.get(key)))
  return Math.max(0, ...inForce.map(({ blockedUntil }) => blockedUntil)) as Instant
}

/** Only blocks from before this attempt apply to it; a block that it causes applies to the next one. */
async function countAll(tx: Tx, counters: readonly AttemptCounter[], now: Instant): Promise<Failures[]> {
  const all: Failures[] = []
  for (const counter of counters) {
    const { key, longest, lifetime = failureLifetime } = counter
    const found = await countFailure(tx, key, now, later(now, -lifetime))
    all.push(found)
    const wait = waitAfter(found.failures, counter)
    if (wait > 0 && !isBlocking(found.blockedUntil, now, longest)) await blockUntil(tx, key, later(now, wait))
  }
  return all
}

/** A successful attempt clears the failures of its name, but not those under other names from the same address. */
export async function forgetAttempt(deps: Pick<Deps, 'db'>, { counters, at, before }: CountedAttempt): Promise<void> {
  const own = counters.filter(({ isShared }) => !isShared).map(({ key }) => key)
  if (own.length > 0) await forgetFailures(deps.db, own)
  for (const { key } of counters.filter(({ isShared }) => isShared)) {
    await uncountAttempt(deps.db, { key, at, lastFailureAt: before.find((each) => each.key === key)?.lastFailureAt })
  }
}
