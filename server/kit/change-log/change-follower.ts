import { limitConcurrency } from '../../kernel/limit-concurrency.ts'
import { type Deps, perApp } from '../deps.ts'
import type { FeedScope } from './change-feed-store.ts'
import { batchSize, type ChangeReader } from './change-reader.ts'
import type { RecordedChange } from './change-rules.ts'
import { followLive, type LiveChanges } from './live-changes.ts'

/** How many of those who follow the change log may ask the database at once, so that requests find free connections. */
const maxAtOnce = 3

/** Runs what one follower of the change log asks the database, when it is its turn. */
export const feedTurn = perApp(() => limitConcurrency(maxAtOnce))

/**
 * Follows the changes of a scope from where a reader is: by reading the log until nothing is missing, taking turns with
 * others who do the same, and from then on by what is read once for all.
 */
export class ChangeFollower {
  readonly #deps: Pick<Deps, 'store'>
  readonly #scope: FeedScope
  readonly #reader: ChangeReader
  readonly #live: LiveChanges
  readonly #leave: () => void
  /** Up to which of the live changes nothing is missing; undefined while catching up. */
  #met: number | undefined

  constructor(deps: Pick<Deps, 'db' | 'store' | 'clock'>, scope: FeedScope, reader: ChangeReader) {
    this.#deps = deps
    this.#scope = scope
    this.#reader = reader
    const [live, leave] = followLive(deps, scope.organizationId)
    this.#live = live
    this.#leave = leave
  }

  /** Changes not read yet; empty if there are none at the moment. Each has to be marked as read before the next call. */
  async next(signal: AbortSignal): Promise<readonly RecordedChange[]> {
    const live = this.#takeLive()
    if (live) return live
    try {
      return await feedTurn(this.#deps)(() => this.#catchUp(), signal)
    } catch (thrown) {
      if (signal.aborted) return []
      throw thrown
    }
  }

  /** Resolves when there may be something to do: changes of the scope, or a few seconds have passed, or the signal. */
  async wait(signal: AbortSignal): Promise<void> {
    if (!this.#hasNews()) await this.#live.wait(this.#scope, signal)
  }

  /** To be called once, at the end. */
  close(): void {
    this.#leave()
  }

  /** What is new in memory; undefined while the log has to be read, as after a pause in which too much has happened. */
  #takeLive(): readonly RecordedChange[] | undefined {
    while (this.#met !== undefined) {
      const taken = this.#live.after(this.#met)
      this.#met = taken && this.#met + taken.length
      if (taken?.length === 0) return taken
      // The reader may have found some of them in the log before they were taken in.
      const own = taken?.filter((change) => this.#isNew(change)) ?? []
      if (own.length > 0) return own
    }
    return undefined
  }

  /** True if a change was taken in since the last call of `next`. */
  #hasNews(): boolean {
    const taken = this.#met === undefined ? undefined : this.#live.after(this.#met)
    return taken?.some((change) => this.#isNew(change)) ?? true
  }

  #isNew(change: RecordedChange): boolean {
    const { workspaceId } = this.#scope
    return (workspaceId === undefined || workspaceId === change.workspaceId) && this.#reader.isUnread(change)
  }

  async #catchUp(): Promise<RecordedChange[]> {
    // Counted first: whatever was taken in before the poll of the log, the poll finds as well.
    const taken = await this.#live.taken()
    const changes = await this.#reader.next()
    if (changes.length < batchSize) this.#met = taken
    return changes
  }
}
