import type { Deps } from '../deps.ts'
import { changesAfter, changesById, type FeedScope, newestPosition, placesBetween } from './change-feed-store.ts'
import type { ChangePlace, RecordedChange } from './change-rules.ts'

/** How many changes are read at once. */
export const batchSize = 200

/**
 * A change takes its position before its commit, so it may appear behind one that was already read. Readers look back
 * this far for such late ones, in microseconds, and at most at this many.
 */
export const lookBack = 10_000_000
const maxLookedBack = 2_000

/**
 * The cursor of a reader as callers keep it: the furthest position, and how many recent changes were known up to there.
 */
export type FeedCursor = { readonly position: number; readonly known: number }

/** Reads a cursor; undefined if the text is not one. */
export function readCursor(text: string): FeedCursor | undefined {
  const [, position, known] = /^(\d{1,16})-(\d{1,5})$/.exec(text) ?? []
  return position && known ? { position: Number(position), known: Number(known) } : undefined
}

/** Follows the change log from a place on: each change once and none left out, whichever process wrote it. */
export class ChangeReader {
  readonly #db: Deps['db']
  readonly #scope: FeedScope
  readonly #recent: Map<string, number>
  #position: number

  private constructor(db: Deps['db'], scope: FeedScope, position: number, recent: Map<string, number>) {
    this.#db = db
    this.#scope = scope
    this.#position = position
    this.#recent = recent
  }

  /** Begins after a cursor, or with changes from now on. */
  static async open({ db }: Pick<Deps, 'db'>, scope: FeedScope, cursor?: FeedCursor): Promise<ChangeReader> {
    const position = cursor?.position ?? (await newestPosition(db, scope))
    const places = await placesBetween(db, scope, recentUpTo(position))
    // A late change appeared while nobody was reading. It is not known which one, so the last seconds are sent again.
    const complete = cursor === undefined || cursor.known === places.length
    return new ChangeReader(
      db,
      scope,
      position,
      new Map(complete ? places.map((each) => [each.id, each.position]) : []),
    )
  }

  /** Where to continue after the changes marked as read so far. */
  cursor(): string {
    return `${this.#position}-${Math.min(this.#recent.size, maxLookedBack)}`
  }

  /**
   * Changes not read yet, late ones first; if fewer than `batchSize`, there are no others at the moment. Each has to be
   * marked as read.
   */
  async next(): Promise<RecordedChange[]> {
    const places = await placesBetween(this.#db, this.#scope, recentUpTo(this.#position))
    const missed = places.filter(({ id }) => !this.#recent.has(id)).map(({ id }) => id)
    const late = await changesById(this.#db, missed.slice(-batchSize))
    if (late.length === batchSize) return late
    const limit = batchSize - late.length
    return [...late, ...(await changesAfter(this.#db, this.#scope, { position: this.#position, limit }))]
  }

  /** False if a change was marked as read, or is so old that readers no longer look for it. */
  isUnread({ id, position }: ChangePlace): boolean {
    return position > this.#position - lookBack && !this.#recent.has(id)
  }

  /** Notes that a change was handled, whether it was sent or not. */
  markRead({ id, position }: ChangePlace): void {
    this.#recent.set(id, position)
    if (position <= this.#position) return
    this.#position = position
    for (const [known, at] of this.#recent) if (at <= position - lookBack) this.#recent.delete(known)
  }
}

const recentUpTo = (position: number) => ({ after: position - lookBack, upTo: position, limit: maxLookedBack })
