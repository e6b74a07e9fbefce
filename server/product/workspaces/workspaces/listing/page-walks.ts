import { LRUCache } from 'lru-cache'
import type { Instant } from '../../../../kernel/clock.ts'
import type { PageRequest } from '../../../../kit/jsonapi/index.ts'
import type { PageStart, RowPlace } from './list-rules.ts'

/** What is remembered of a page that was sent. */
type SentPage = { readonly first: RowPlace; readonly last: RowPlace; readonly version: number; readonly at: Instant }

/** The pages of a walk that were sent in full, and the number of the last one. */
type Walk = { readonly pages: Map<number, SentPage>; last: number }

/**
 * How long a caller may take from one page to the next, in milliseconds. Other processes and nodes may have sent
 * earlier pages again without this one knowing it: if there are others, what is remembered counts only for as long as
 * programs need.
 */
export const walkTimeouts = { alone: 120_000, besideOthers: 10_000 } as const

/** Pages of one walk that are remembered; a walk goes forward, so the newest matter. */
const maxPages = 256

/**
 * Callers walk through a list by page numbers while others create and delete. The page after one that was just sent
 * therefore begins where that one ended, not at a number of rows that may have shifted: what nobody touched is neither
 * sent twice nor left out. It also makes deep pages as cheap as the first.
 *
 * Across a change this works only from one page to the next: a caller that asks in another order has started over.
 */
export class PageWalks {
  readonly #walks = new LRUCache<string, Walk>({ max: 2_000 })
  readonly #patience: number

  constructor(patience: number) {
    this.#patience = patience
  }

  /** Where a page begins. `version` changes when rows are added, removed or moved; undefined if that is not known. */
  startOf(walk: string, page: PageRequest, version: number | undefined, now: Instant): PageStart {
    const sent = this.#walks.get(walk)
    const offset = Math.min((page.number - 1) * page.size, Number.MAX_SAFE_INTEGER)
    if (!sent || page.number === 1) return { offset, shifted: false }
    const { pages, last } = sent
    const same = pages.get(page.number)
    if (same && same.version === version) return { from: same.first, offset: 0, shifted: false }
    const before = pages.get(page.number - 1)
    if (before && last === page.number - 1 && now - before.at < this.#patience) {
      return { after: before.last, offset: 0, shifted: before.version !== version }
    }
    const [number, nearest] = nearestBelow(pages, page.number, version)
    if (!nearest) return { offset, shifted: false }
    return { after: nearest.last, offset: (page.number - 1 - number) * page.size, shifted: false }
  }

  /** Remembers a page that was sent; one that is not full is the last one. */
  remember(walk: string, page: PageRequest, rows: readonly RowPlace[], facts: { version: number; at: Instant }): void {
    const sent = this.#walks.get(walk) ?? { pages: new Map<number, SentPage>(), last: 0 }
    this.#walks.set(walk, sent)
    sent.last = page.number
    const { pages } = sent
    pages.delete(page.number)
    const [first, last] = [rows[0], rows.at(-1)]
    if (!first || !last || rows.length < page.size) return
    pages.set(page.number, { first: placeOf(first), last: placeOf(last), ...facts })
    const [oldest] = pages.keys()
    if (pages.size > maxPages && oldest !== undefined) pages.delete(oldest)
  }
}

/**
 * Only the place of a row: whole workspaces, and their documents with them, would stay in memory as long as the walk.
 */
const placeOf = ({ name, latestChangeAt, createdAt, id }: RowPlace): RowPlace => ({
  name,
  latestChangeAt,
  createdAt,
  id,
})

function nearestBelow(
  sent: ReadonlyMap<number, SentPage>,
  wanted: number,
  version: number | undefined,
): readonly [number, SentPage | undefined] {
  let nearest = 0
  for (const [number, page] of sent) {
    if (page.version === version && number < wanted && number > nearest) nearest = number
  }
  return [nearest, sent.get(nearest)]
}
