import { setTimeout as sleep } from 'node:timers/promises'
import { type Deps, perApp } from '../deps.ts'
import { countAfter, type FeedScope, newestPosition } from './change-feed-store.ts'
import { batchSize, ChangeReader, lookBack } from './change-reader.ts'
import type { RecordedChange } from './change-rules.ts'

type LiveDeps = Pick<Deps, 'db' | 'store' | 'clock'>

/** Milliseconds between two polls of the log, and after how many everybody is woken. */
const pollInterval = 250
const wakeInterval = 2_000

/** How many changes are kept in memory: as many as one request makes at most. Whoever needs older ones reads the log. */
const maxKept = 1_000

type Waiting = {
  readonly scope: FeedScope
  readonly wake: () => void
  readonly fail: (reason: unknown) => void
}

/**
 * The newest changes of an organization, read once for all in this process who follow it. They are numbered in the order
 * in which they were taken in, which is the order in which each follower would have read them.
 */
export class LiveChanges {
  readonly #deps: LiveDeps
  readonly #organizationId: string
  readonly #waiting = new Set<Waiting>()
  #reader: Promise<ChangeReader> | undefined
  #kept: RecordedChange[] = []
  #taken = 0
  #mark = ''
  #isPolling = false
  #wokenAt = 0

  constructor(deps: LiveDeps, organizationId: string) {
    this.#deps = deps
    this.#organizationId = organizationId
  }

  /** How many changes were taken in so far. A poll of the log that begins now finds them all. */
  async taken(): Promise<number> {
    await this.#opened()
    return this.#taken
  }

  /** Changes taken in after so many others, some of them if there are many; undefined if they are no longer kept. */
  after(taken: number): readonly RecordedChange[] | undefined {
    const first = this.#kept.length - (this.#taken - taken)
    return first < 0 ? undefined : this.#kept.slice(first, first + batchSize)
  }

  /**
   * Resolves when a change of this scope is taken in, every few seconds, and when the signal is aborted; rejects if the
   * log cannot be read. The log is polled only while somebody waits.
   */
  async wait(scope: FeedScope, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const { promise, resolve, reject: fail } = Promise.withResolvers<void>()
    const wake = () => resolve()
    const waiting = { scope, wake, fail }
    signal.addEventListener('abort', wake, { once: true })
    this.#waiting.add(waiting)
    if (!this.#isPolling) void this.#pollWhileAwaited()
    try {
      await promise
    } finally {
      this.#waiting.delete(waiting)
      signal.removeEventListener('abort', wake)
    }
  }

  async #pollWhileAwaited(): Promise<void> {
    this.#isPolling = true
    try {
      for (;;) {
        await sleep(pollInterval, undefined, { ref: false })
        if (this.#waiting.size === 0) return
        this.#wake(await this.#takeIn())
      }
    } catch (thrown) {
      for (const { fail } of this.#waiting) fail(thrown)
    } finally {
      this.#isPolling = false
    }
  }

  /** The reader of all; the first of those who follow opens it. */
  #opened(): Promise<ChangeReader> {
    this.#reader ??= ChangeReader.open(this.#deps, { organizationId: this.#organizationId }).catch(
      (thrown: unknown) => {
        this.#reader = undefined
        throw thrown
      },
    )
    return this.#reader
  }

  /** Takes in what is new, and answers which workspaces it concerns. */
  async #takeIn(): Promise<ReadonlySet<string | undefined>> {
    const found = new Set<string | undefined>()
    const reader = await this.#opened()
    const mark = await this.#readMark()
    if (mark === this.#mark) return found
    for (let changes = await reader.next(); changes.length > 0; changes = await reader.next()) {
      for (const change of changes) {
        reader.markRead(change)
        found.add(change.workspaceId)
      }
      this.#taken += changes.length
      this.#kept = [...this.#kept, ...changes].slice(-maxKept)
    }
    this.#mark = mark
    return found
  }

  /** A text that changes when the log grows. */
  async #readMark(): Promise<string> {
    const scope = { organizationId: this.#organizationId }
    const newest = await newestPosition(this.#deps.db, scope)
    return `${newest} ${await countAfter(this.#deps.db, scope, newest - lookBack)}`
  }

  /** Wakes those whom changes of these workspaces concern; from time to time all at once, as they then ask together. */
  #wake(workspaceIds: ReadonlySet<string | undefined>): void {
    const now = this.#deps.clock.monotonic()
    const isTimeForAll = now - this.#wokenAt >= wakeInterval
    if (isTimeForAll) this.#wokenAt = now
    for (const { scope, wake } of this.#waiting) {
      const { workspaceId } = scope
      const isConcerned = workspaceId === undefined ? workspaceIds.size > 0 : workspaceIds.has(workspaceId)
      if (isTimeForAll || isConcerned) wake()
    }
  }
}

type Followed = { readonly changes: LiveChanges; followers: number }

const followedOf = perApp(({ store }: Pick<Deps, 'store'>) => {
  const followed = new Map<string, Followed>()
  // A restore replaces the log: whoever follows it from now on begins anew.
  store.versions.onChange('everything', () => followed.clear())
  return followed
})

/** Follows the changes of an organization; they are kept until the last follower has called the returned function. */
export function followLive(deps: LiveDeps, organizationId: string): [changes: LiveChanges, leave: () => void] {
  const all = followedOf(deps)
  const followed = all.get(organizationId) ?? { changes: new LiveChanges(deps, organizationId), followers: 0 }
  all.set(organizationId, followed)
  followed.followers += 1
  const leave = () => {
    followed.followers -= 1
    if (followed.followers === 0 && all.get(organizationId) === followed) all.delete(organizationId)
  }
  return [followed.changes, leave]
}
