import { type RawBuilder, sql } from 'kysely'

/** SQLite refuses patterns of more than 50,000 bytes. Columns are far shorter, so such a text matches nothing. */
const longestText = 10_000

/** Marks what has a meaning in a pattern as plain text. */
const escapeLike = (text: string): string => text.slice(0, longestText).replace(/[\\%_]/g, '\\$&')

/** True where the column contains the text. Both must be folded alike: engines differ in how they treat case. */
export const contains = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} like ${`%${escapeLike(text)}%`} escape '\\'`

/** The same in any case, for columns of plain ASCII as it was written: `lower` of either engine folds nothing else. */
export const containsInAnyCase = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${sql.ref(column)}) like ${`%${escapeLike(text.toLowerCase())}%`} escape '\\'`

/** True where the column is the text, with anything before or after it where the ends are open. */
export const likeWildcard = (
  column: string,
  { text, openStart, openEnd }: { readonly text: string; readonly openStart: boolean; readonly openEnd: boolean },
): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} like ${`${openStart ? '%' : ''}${escapeLike(text)}${openEnd ? '%' : ''}`} escape '\\'`
