import { type Deps, perApp } from '../../kit/deps.ts'
import {
  changesAfter,
  changesById,
  countAfter,
  type FeedScope,
  newestPosition,
  placesBetween,
} from './change-feed-store.ts'
import type { ChangePlace, RecordedChange } from './change-rules.ts'

type ReaderDeps = Pick<Deps, 'db' | 'store' | 'clock'>

/** How many changes are read at once. */
const batchSize = 200

/**
 * A change takes its position before its commit, so it may appear behind one that was already read. Readers look back
 * this far for such late ones, in microseconds, and at most at this many.
 */
const lookBack = 10_000_000
const maxLookedBack = 2_000

/** How long the result of one look at an organization's log is shared by all who follow it, in milliseconds. */
const markLifetime = 200

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
  static async open({ db }: Pick<ReaderDeps, 'db'>, scope: FeedScope, cursor?: FeedCursor): Promise<ChangeReader> {
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

  /** Changes not read yet, late ones first; empty if there are none at the moment. Each has to be marked as read. */
  async next(): Promise<RecordedChange[]> {
    const places = await placesBetween(this.#db, this.#scope, recentUpTo(this.#position))
    const late = places.filter(({ id }) => !this.#recent.has(id)).map(({ id }) => id)
    if (late.length > 0) return await changesById(this.#db, late.slice(-batchSize))
    return await changesAfter(this.#db, this.#scope, { position: this.#position, limit: batchSize })
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

type SharedMark = { readonly at: number; readonly mark: Promise<string> }

const sharedMarks = perApp(() => new Map<string, SharedMark>())

/** A text that changes when an organization's log grows; all who follow the organization share one look at it. */
export function changeMark(deps: ReaderDeps, organizationId: string): Promise<string> {
  const known = sharedMarks(deps)
  const now = deps.clock.monotonic()
  const last = known.get(organizationId)
  if (last && now - last.at < markLifetime) return last.mark
  forgetOld(known, now)
  const mark = readMark(deps, organizationId)
  known.set(organizationId, { at: now, mark })
  return mark
}

async function readMark({ db }: ReaderDeps, organizationId: string): Promise<string> {
  const scope = { organizationId }
  const newest = await newestPosition(db, scope)
  return `${newest} ${await countAfter(db, scope, newest - lookBack)}`
}

/** Removes outdated looks whenever another is taken. */
function forgetOld(known: Map<string, SharedMark>, now: number): void {
  for (const [organizationId, { at }] of known) if (now - at > 10 * markLifetime) known.delete(organizationId)
}
