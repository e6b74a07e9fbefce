import { LRUCache } from 'lru-cache'
import type { Instant } from '../../../kernel/clock.ts'
import type { PageRequest } from '../../../kit/jsonapi/index.ts'
import type { PageStart, RowPlace } from './list-rules.ts'

/** What is remembered of a page that was sent. */
type SentPage = { readonly first: RowPlace; readonly last: RowPlace; readonly version: number; readonly at: Instant }

/** How long a caller may take from one page to the next. */
const patience = 120_000

/** Pages of one walk that are remembered; a walk goes forward, so the newest matter. */
const mostPages = 256

/**
 * Callers walk through a list by page numbers while others create and delete. The page after one that was just sent
 * therefore begins where that one ended, not at a number of rows that may have shifted: what nobody touched is neither
 * sent twice nor left out. It also makes deep pages as cheap as the first.
 */
export class PageWalks {
  readonly #walks = new LRUCache<string, Map<number, SentPage>>({ max: 2_000 })

  /** Where to begin a page. `version` moves when rows come, go or change places; undefined if that cannot be told. */
  startOf(walk: string, page: PageRequest, version: number | undefined, now: Instant): PageStart {
    const sent = this.#walks.get(walk)
    const offset = Math.min((page.number - 1) * page.size, Number.MAX_SAFE_INTEGER)
    if (!sent || page.number === 1) return { offset, shifted: false }
    const same = sent.get(page.number)
    if (same && same.version === version) return { from: same.first, offset: 0, shifted: false }
    const before = sent.get(page.number - 1)
    if (before && now - before.at < patience) {
      return { after: before.last, offset: 0, shifted: before.version !== version }
    }
    const [number, nearest] = nearestBelow(sent, page.number, version)
    if (!nearest) return { offset, shifted: false }
    return { after: nearest.last, offset: (page.number - 1 - number) * page.size, shifted: false }
  }

  /** Remembers a page that was sent in full. */
  remember(walk: string, page: PageRequest, rows: readonly RowPlace[], facts: { version: number; at: Instant }): void {
    const [first, last] = [rows[0], rows.at(-1)]
    if (!first || !last || rows.length < page.size) return
    const sent = this.#walks.get(walk) ?? new Map<number, SentPage>()
    sent.delete(page.number)
    sent.set(page.number, { first, last, ...facts })
    const [oldest] = sent.keys()
    if (sent.size > mostPages && oldest !== undefined) sent.delete(oldest)
    this.#walks.set(walk, sent)
  }
}

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
