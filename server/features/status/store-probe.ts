import { setTimeout as sleep } from 'node:timers/promises'
import { type Failure, failure } from '../../kernel/failure.ts'
import type { Deps } from '../../kit/deps.ts'

/** Milliseconds. */
const timeouts = {
  /** For a store that is known to be unreachable or silent: long enough for a quick fail-over, and less than probes wait. */
  away: 700,
  /**
   * For any other: a store that works answers within this time, however busy it is; one that does not may be frozen.
   */
  silent: 5_000,
}

/** What a probe needs of a store. */
type ProbedStore = Pick<Deps['store'], 'isAway' | 'broken'> & { readonly versions: Pick<Versions, 'refresh'> }

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
  { away, silent } = timeouts,
): Promise<void> {
  requireWritable({ store })
  let answered = false
  const asked = Promise.resolve(store.versions.refresh()).then(() => {
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

/** Whether the store answers and takes writes, without waiting long for one that does not. */
export async function answersSoon({ store }: { readonly store: ProbedStore }, within: number): Promise<boolean> {
  if (store.broken() || store.isAway()) return false
  return (await soonOr(async () => await store.versions.refresh(), within).catch(() => 'failed')) === undefined
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
