import { LRUCache } from 'lru-cache'
import { Failure } from '../../../../kernel/failure.ts'
import { pause } from '../../../../kernel/pause.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'

/** The longest wait between two tries to get a lock, in milliseconds; another process may have freed it. */
const pollInterval = 250

/**
 * How long a lock may pass from one caller in this process to the next, and how long it is then left to those who wait in
 * others, in milliseconds: they would hardly ever find it free. Each of them tries at least once in that time.
 */
const ownRun = 2_000
const turnOfOthers = 1.5 * pollInterval

/** Those who wait for one lock in this process, the first to come first. */
type Queue = {
  readonly waiting: Event[]
  /** Happens when the lock is freed in this process after the latest try has begun. */
  freed: Event
  /** What the latest try was told; undefined before the first has been answered. */
  latest: Failure | undefined
  /** Since when the lock is passed on in this process without a turn of others, a monotonic time. */
  ownSince: number | undefined
}
type Event = PromiseWithResolvers<true>

const queuesOf = perApp(() => new Map<string, Queue>())

/** How long a lock still counts as passed on while nobody waits, in milliseconds: two in turns leave such moments. */
const longestGap = 60_000

/** What is left of the queues that have ended while their lock was passed on: since when, and when they ended. */
const restsOf = perApp(
  () => new LRUCache<string, { readonly ownSince: number; readonly endedAt: number }>({ max: 1_000 }),
)

function newQueue(deps: QueueDeps, id: string): Queue {
  const rest = restsOf(deps).get(id)
  restsOf(deps).delete(id)
  const goesOn = rest && deps.clock.monotonic() - rest.endedAt < longestGap
  return { waiting: [], freed: newEvent(), latest: undefined, ownSince: goesOn ? rest.ownSince : undefined }
}

function endQueue(deps: QueueDeps, id: string, { ownSince }: Queue): void {
  queuesOf(deps).delete(id)
  if (ownSince !== undefined) restsOf(deps).set(id, { ownSince, endedAt: deps.clock.monotonic() })
}

/** Who waits: `lock` tries to get the lock, `check` throws if the caller would be refused by now. */
export type Waiter<T> = { readonly lock: () => Promise<T>; readonly check: () => Promise<unknown> }

/** How long to wait, in milliseconds; the signal is aborted when the client has gone. */
export type Patience = { readonly milliseconds: number; readonly signal: AbortSignal }

type QueueDeps = Pick<Deps, 'clock' | 'store'>

/**
 * Locks as soon as the workspace is free, for at most this long. Those who wait in this process get the lock in the order
 * in which they came: only the first of them tries, whenever the lock is freed in this process, and every quarter of a
 * second because others may have freed it. Between processes there is no order, but none keeps it for long.
 */
export async function lockWhenFree<T>(
  deps: QueueDeps,
  id: string,
  waiter: Waiter<T>,
  { milliseconds, signal }: Patience,
): Promise<T> {
  const until = deps.clock.monotonic() + milliseconds
  const waiting = { ...waiter, timeLeft: () => until - deps.clock.monotonic(), signal }
  const queues = queuesOf(deps)
  const queue = queues.get(id) ?? newQueue(deps, id)
  queues.set(id, queue)
  const turn = newEvent()
  queue.waiting.push(turn)
  try {
    const isTurn = queue.waiting.length === 1 || (await happens(turn, waiting.timeLeft(), signal))
    return isTurn ? await tryUntilFree(deps, queue, waiting) : await giveUp(queue, waiting)
  } finally {
    queue.waiting.splice(queue.waiting.indexOf(turn), 1)
    if (queue.waiting.length === 0) endQueue(deps, id, queue)
    else queue.waiting[0]?.resolve(true)
  }
}

/** Lets the first who waits for this lock in this process try at once; to be called when its release is committed. */
export const wakeFirstWaiter = (deps: Pick<Deps, 'store'>, id: string): void =>
  queuesOf(deps).get(id)?.freed.resolve(true)

/** How many calls wait for this lock in this process. */
export const countWaiting = (deps: Pick<Deps, 'store'>, id: string): number =>
  queuesOf(deps).get(id)?.waiting.length ?? 0

const newEvent = (): Event => Promise.withResolvers<true>()

const isHeld = (thrown: unknown): thrown is Failure =>
  thrown instanceof Failure && thrown.code === 'lock.already-locked'

type Waiting<T> = Waiter<T> & { readonly timeLeft: () => number; readonly signal: AbortSignal }

/** False if the time is over before it happens. */
async function happens({ promise }: Event, milliseconds: number, signal: AbortSignal): Promise<boolean> {
  const isDecided = new AbortController()
  try {
    const timeout = pause(Math.max(0, milliseconds), AbortSignal.any([signal, isDecided.signal])).then(() => false)
    return await Promise.race([promise, timeout])
  } finally {
    isDecided.abort()
  }
}

/** Others came first, so it gets no try; it is told who holds the lock, if it may still know that. */
async function giveUp<T>({ latest }: Queue, { check, lock }: Waiting<T>): Promise<T> {
  if (!latest) return await lock()
  await check()
  throw latest
}

/** Tries again and again; the last try is when the time is over. */
async function tryUntilFree<T>(deps: QueueDeps, queue: Queue, { lock, timeLeft, signal }: Waiting<T>): Promise<T> {
  for (let isWoken = false; ; ) {
    // A release while the try is under way counts: it may have come too late for the try.
    queue.freed = newEvent()
    try {
      const locked = await lock()
      if (isWoken) queue.ownSince ??= deps.clock.monotonic()
      return locked
    } catch (refused) {
      if (!isHeld(refused) || timeLeft() <= 0) throw refused
      queue.latest = refused
      isWoken = await happens(queue.freed, Math.min(pollInterval, timeLeft()), signal)
      if (isWoken && deps.clock.monotonic() - (queue.ownSince ?? Number.POSITIVE_INFINITY) >= ownRun) {
        queue.ownSince = undefined
        await pause(Math.max(0, Math.min(turnOfOthers, timeLeft())), signal)
      }
    }
  }
}
