import { setTimeout as sleep } from 'node:timers/promises'
import { type Failure, failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import { isSaturated } from '../../../storage/database-errors.ts'

/** Milliseconds. */
const timeouts = {
  /** After this, a store whose connections are all in use is asked over the one that requests do not use. */
  crowded: 100,
  /** For a store that is known to be unreachable or silent: long enough for a quick fail-over, and less than probes wait. */
  away: 700,
  /**
   * For any other: a store that works answers within this time, however busy it is; one that does not may be frozen.
   */
  silent: 5_000,
}

/** What a probe needs of a store. */
type ProbedStore = Pick<Deps['store'], 'isAway' | 'broken' | 'load' | 'answersBesidePool'> & {
  readonly versions: Pick<Versions, 'refresh'>
}

/** Fails if the store refuses writes until the next start, so that a supervisor restarts the process. */
export function requireWritable({ store }: { readonly store: Pick<ProbedStore, 'broken'> }): void {
  const reason = store.broken()
  if (reason) throw reason
}

/** Stores that have not answered since a probe gave up on them. */
const silentStores = new WeakSet<ProbedStore>()

/**
 * Checks that the store answers. A slow one is given time; one that is known to be unreachable, or that an earlier probe
 * has waited for in vain, is not waited for long.
 */
export async function requireStore(
  { store }: { readonly store: ProbedStore },
  { away, silent }: Pick<typeof timeouts, 'away' | 'silent'> = timeouts,
): Promise<void> {
  requireWritable({ store })
  let answered = false
  const asked = answerOf(store).then(() => {
    answered = true
    silentStores.delete(store)
  })
  for (let waited = 0; waited < silent; waited += away) {
    await Promise.race([asked, sleep(away, undefined, { ref: false })])
    if (answered) return
    if (store.isAway() || silentStores.has(store)) break
  }
  if (!store.isAway()) silentStores.add(store)
  throw storeUnreachable()
}

/** Resolves when the store answers. One that is busy with requests is not lost, so a probe does not queue behind them. */
async function answerOf(store: ProbedStore): Promise<void> {
  try {
    const asked = store.versions.refresh()
    if (!(asked instanceof Promise)) return
    const isAnswered = await Promise.race([asked.then(() => true), sleep(timeouts.crowded, false, { ref: false })])
    if (isAnswered || (isCrowded(store) && (await store.answersBesidePool()))) return
    await asked
  } catch (thrown) {
    if (!isSaturated(thrown) || !(await store.answersBesidePool())) throw thrown
  }
}

function isCrowded(store: ProbedStore): boolean {
  const load = store.load()
  return 'waiting' in load && load.waiting > 0
}

/** Whether the store answers and takes writes, without waiting long for one that does not. */
export async function answersSoon({ store }: { readonly store: ProbedStore }, within: number): Promise<boolean> {
  if (store.broken() || store.isAway()) return false
  return (await soonOr(() => answerOf(store), within).catch(() => 'failed')) === undefined
}

/** Waits for something, but not for long: whatever becomes of it after that, the caller goes on with `late`. */
export async function soonOr<T>(begin: () => Promise<T>, within: number): Promise<T | typeof late> {
  const enough = new AbortController()
  const asked = begin().finally(() => enough.abort())
  const waited = sleep(within, late, { ref: false, signal: enough.signal })
  // Only the one that ends first is awaited.
  waited.catch(() => undefined)
  asked.catch(() => undefined)
  return await Promise.race([asked, waited])
}

/** Stands for an answer that did not come in time. */
export const late: unique symbol = Symbol('late')

type Versions = Deps['store']['versions']

/** The refusal of a caller for whom the store has no answer. */
export const storeUnreachable = (): Failure =>
  failure('unavailable', 'storage.unreachable', 'The database cannot be reached at the moment; try again.', {
    retryAfter: 2,
  })
