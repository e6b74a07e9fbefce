import { Failure } from '../../../../kernel/failure.ts'
import { pause } from '../../../../kernel/pause.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'

/** The longest wait between two tries to get a lock, in milliseconds. */
const pollInterval = 250

/** Those who wait for one lock in this process, the first to come first. */
type Queue = { readonly waiting: Turn[]; latest: Failure }
type Turn = PromiseWithResolvers<true>

const queuesOf = perApp(() => new Map<string, Queue>())

/** Who waits: `lock` tries to get the lock, `check` throws if the caller would be refused by now. */
export type Waiter<T> = { readonly lock: () => Promise<T>; readonly check: () => Promise<unknown> }

/** How long to wait, in milliseconds; the signal is aborted when the client has gone. */
export type Patience = { readonly milliseconds: number; readonly signal: AbortSignal }

type QueueDeps = Pick<Deps, 'clock' | 'store'>

/**
 * Locks as soon as the workspace is free, for at most this long. Those who wait in this process get the lock in the order
 * in which they came: only the first of them tries. Between processes there is no order.
 */
export async function lockWhenFree<T>(
  deps: QueueDeps,
  id: string,
  waiter: Waiter<T>,
  { milliseconds, signal }: Patience,
): Promise<T> {
  const until = deps.clock.monotonic() + milliseconds
  const timeLeft = () => until - deps.clock.monotonic()
  if (!queuesOf(deps).has(id)) {
    try {
      return await waiter.lock()
    } catch (refused) {
      if (!isHeld(refused) || timeLeft() <= 0) throw refused
      return await waitInQueue(deps, id, { ...waiter, timeLeft, signal, latest: refused })
    }
  }
  return await waitInQueue(deps, id, { ...waiter, timeLeft, signal, latest: undefined })
}

const isHeld = (thrown: unknown): thrown is Failure =>
  thrown instanceof Failure && thrown.code === 'lock.already-locked'

type Waiting<T> = Waiter<T> & {
  readonly timeLeft: () => number
  readonly signal: AbortSignal
  /** What the waiter was told when it tried; undefined if it has not tried, since others wait already. */
  readonly latest: Failure | undefined
}

async function waitInQueue<T>(deps: QueueDeps, id: string, waiting: Waiting<T>): Promise<T> {
  const queues = queuesOf(deps)
  const queue = queues.get(id) ?? { waiting: [], latest: waiting.latest as Failure }
  queues.set(id, queue)
  const turn = Promise.withResolvers<true>()
  queue.waiting.push(turn)
  const hasTried = waiting.latest !== undefined
  try {
    if (queue.waiting.length > 1) {
      if (!(await comesToTurn(turn, waiting))) return await giveUp(queue, waiting)
    } else if (hasTried) await pauseFor(waiting)
    return await tryUntilFree(queue, waiting)
  } finally {
    queue.waiting.splice(queue.waiting.indexOf(turn), 1)
    if (queue.waiting.length === 0) queues.delete(id)
    else queue.waiting[0]?.resolve(true)
  }
}

/** False if the time is over before all who came earlier are gone. */
async function comesToTurn(turn: Turn, { timeLeft, signal }: Pick<Waiting<never>, 'timeLeft' | 'signal'>) {
  const isDecided = new AbortController()
  try {
    const timeout = pause(Math.max(0, timeLeft()), AbortSignal.any([signal, isDecided.signal])).then(() => false)
    return await Promise.race([turn.promise, timeout])
  } finally {
    isDecided.abort()
  }
}

/** Others came first, so it gets no try; it is told who holds the lock, if it may still know that. */
async function giveUp({ latest }: Queue, { check }: Pick<Waiting<never>, 'check'>): Promise<never> {
  await check()
  throw latest
}

const pauseFor = ({ timeLeft, signal }: Pick<Waiting<never>, 'timeLeft' | 'signal'>): Promise<void> =>
  pause(Math.max(0, Math.min(pollInterval, timeLeft())), signal)

/** Tries again and again; the last try is when the time is over. */
async function tryUntilFree<T>(queue: Queue, waiting: Waiting<T>): Promise<T> {
  for (;;) {
    try {
      return await waiting.lock()
    } catch (refused) {
      if (!isHeld(refused) || waiting.timeLeft() <= 0) throw refused
      queue.latest = refused
      await pauseFor(waiting)
    }
  }
}
