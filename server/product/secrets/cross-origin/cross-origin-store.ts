import type { Queryable, Tx } from '../../../storage/open.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import type { CrossOrigin } from './cross-origin.ts'

/** Which pages of other origins may use `/v1`. There is at most one row. */
interface CrossOriginRow {
  id: string
  /** Both are JSON lists of texts. */
  origins: string
  headers: string
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    cross_origin: CrossOriginRow
  }
}

const rowId = 'v1'

/** The terms that were set; undefined while pages of other origins may not call. */
export async function loadCrossOrigin(db: Queryable): Promise<CrossOrigin | undefined> {
  const row = await db.selectFrom('cross_origin').selectAll().where('id', '=', rowId).executeTakeFirst()
  return row && { origins: JSON.parse(row.origins) as string[], headers: JSON.parse(row.headers) as string[] }
}

/** Stores the terms, replacing those before. */
export async function saveCrossOrigin(tx: Tx, { origins, headers }: CrossOrigin): Promise<void> {
  const columns = { origins: JSON.stringify(origins), headers: JSON.stringify(headers) }
  await tx
    .insertInto('cross_origin')
    .values({ id: rowId, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
  bumpVersion(tx, 'cross-origin')
}

/** Removes the terms, if there are any. */
export async function deleteCrossOrigin(tx: Tx): Promise<void> {
  await tx.deleteFrom('cross_origin').where('id', '=', rowId).execute()
  bumpVersion(tx, 'cross-origin')
}
