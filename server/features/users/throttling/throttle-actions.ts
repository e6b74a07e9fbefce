import { type Instant, later } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import {
  type AttemptCounter,
  failureLifetime,
  isBlocking,
  secondsUntil,
  waitAfter,
  waitText,
} from './throttle-rules.ts'
import {
  blockUntil,
  countFailure,
  type Failures,
  forgetFailures,
  loadFailures,
  uncountFailure,
} from './throttle-store.ts'

type ThrottleDeps = Pick<Deps, 'db' | 'clock'>

/**
 * Counts an attempt before it is checked, so that concurrent ones are all counted. Throws when there were too many
 * before. If the attempt succeeds, its count is taken back.
 */
export async function takeAttempt(deps: ThrottleDeps, counted: readonly AttemptCounter[]): Promise<void> {
  const now = deps.clock.now()
  const blocked = await inTransaction(deps.db, async (tx) => {
    const known = await loadFailures(
      tx,
      counted.map(({ key }) => key),
    )
    const until = latest(known, now)
    return until > now ? until : latest(await countAll(tx, counted, now), now)
  })
  if (blocked <= now) return
  const seconds = secondsUntil(blocked, now)
  const text = `Too many failed attempts. Try again in ${waitText(seconds)}.`
  throw failure('rate-limited', 'sign-in.throttled', text, { retryAfter: seconds })
}

const latest = (known: readonly Failures[], now: Instant): Instant =>
  Math.max(0, ...known.map((each) => each.blockedUntil).filter((until) => isBlocking(until, now))) as Instant

/** Only blocks from before this attempt apply to it; a block that it causes applies to the next one. */
async function countAll(tx: Tx, counted: readonly AttemptCounter[], now: Instant): Promise<Failures[]> {
  const all: Failures[] = []
  for (const each of counted) {
    const { key } = each
    const found = await countFailure(tx, key, now, later(now, -failureLifetime))
    all.push(found)
    const wait = waitAfter(found.failures, each)
    if (wait > 0 && !isBlocking(found.blockedUntil, now)) await blockUntil(tx, key, later(now, wait))
  }
  return all
}

/** A successful attempt clears the failures of its name, but not those under other names from the same address. */
export async function forgetAttempts(deps: Pick<Deps, 'db'>, counted: readonly AttemptCounter[]): Promise<void> {
  const keys = counted.map(({ key }) => key)
  const named = keys.filter((key) => !key.startsWith('address:'))
  if (named.length > 0) await forgetFailures(deps.db, named)
  for (const key of keys.filter((each) => each.startsWith('address:'))) await uncountFailure(deps.db, key)
}
