import { type SelectQueryBuilder, sql } from 'kysely'
import type { Instant } from '../../../../kernel/clock.ts'
import type { ListPage, ListPlace } from '../../../../kit/list.ts'
import { hotQuery } from '../../../../storage/hot.ts'
import type { Queryable } from '../../../../storage/open.ts'
import { rowChunksOf } from '../../../../storage/row-chunks.ts'
import type { DescribedTables } from '../../../../storage/tables.ts'
import { deadFlag } from './revoked-path-store.ts'

/** What lists read of a token: null if it is dead or used up, else its parent, on which it hangs; empty for none. */
type ListedRow = { readonly hangs_on: string | null }

/**
 * All stored tokens, as lists read them. Dead ones are left out by `livingAmong`: if the database did so, a page might
 * have to pass by any number of them.
 */
const listedTokens = (db: Queryable, now: Instant): SelectQueryBuilder<DescribedTables, 'tokens', ListedRow> =>
  db.selectFrom('tokens').select(
    sql<string | null>`case when ${deadFlag('tokens')} = 1 or expires_at <= ${now}
      or (num_uses > 0 and uses_left <= 0) then null else parent_id end`.as('hangs_on'),
  )

/** Those of these tokens that live. */
export async function livingAmong<R extends ListedRow>(db: Queryable, rows: readonly R[], now: Instant): Promise<R[]> {
  const parents = new Set(rows.map((row) => row.hangs_on ?? '').filter((id) => id !== ''))
  const living = new Set<string | null>([''])
  for (const ids of rowChunksOf([...parents])) {
    for (const { start } of await livingLines(db, ids, now)) living.add(start)
  }
  return rows.filter((row) => living.has(row.hangs_on))
}

/** Those of these tokens of which neither they nor an ancestor are dead. */
const livingLines = (db: Queryable, ids: readonly string[], now: Instant): Promise<{ start: string }[]> =>
  db
    .withRecursive('line', (line) =>
      line
        .selectFrom('tokens')
        .select(['id as start', 'parent_id', 'expires_at', deadFlag('tokens').as('is_dead')])
        .where('id', 'in', ids)
        .unionAll(
          line
            .selectFrom('tokens')
            .innerJoin('line', 'line.parent_id', 'tokens.id')
            .select(['line.start', 'tokens.parent_id', 'tokens.expires_at', deadFlag('tokens').as('is_dead')]),
        ),
    )
    .selectFrom('line')
    .select('start')
    .groupBy('start')
    .having((eb) => eb.fn.min('line.parent_id'), '=', '')
    .having((eb) => eb.fn.max('line.is_dead'), '=', 0)
    .having((eb) => {
      const end = eb.fn.min('line.expires_at')
      return eb.or([eb(end, 'is', null), eb(end, '>', now)])
    })
    .execute()

type PageTerms = ListPlace & { readonly now: Instant }

const accessorPage = hotQuery('tokens.accessors', (db, by: PageTerms) =>
  listedTokens(db, by.now).select('accessor').where('accessor', '>', by.after).orderBy('accessor').limit(by.most),
)

/** A page of the accessors of all tokens that live. */
export async function listAccessors(db: Queryable, now: Instant, { after, most }: ListPlace): Promise<ListPage> {
  const rows = await accessorPage.all(db, { after, most, now })
  const names = (await livingAmong(db, rows, now)).map((row) => row.accessor)
  return { names, next: rows.length < most ? undefined : rows.at(-1)?.accessor }
}

/** No more children of one token are counted, so that a question about it stays small. */
export const mostChildren = 1_000

/** How many tokens that were made with this one live, if it lives itself. */
export async function countLivingChildren(db: Queryable, parent: string, now: Instant): Promise<number> {
  const children = listedTokens(db, now).where('parent_id', '=', parent).where('parent_id', '<>', sql.lit(''))
  const rows = await children.limit(mostChildren).execute()
  return rows.filter((row) => row.hangs_on !== null).length
}

/**
 * Tokens with a lease that are not marked as dead, as the statement itself has to say for its index to be used: those
 * without an end have none.
 */
export const leasedTokens = (db: Queryable, now: Instant): SelectQueryBuilder<DescribedTables, 'tokens', ListedRow> =>
  listedTokens(db, now).where('tokens.revoked', '=', sql.lit(0)).where('tokens.expires_at', 'is not', null)
