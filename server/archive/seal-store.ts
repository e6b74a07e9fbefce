import { failure } from '../kernel/failure.ts'
import type { Queryable } from '../storage/open.ts'
import type { DescribedTables } from '../storage/tables.ts'

/** How a store is sealed, as its one row says. */
export type SealRow = DescribedTables['seal']

/** How the store is sealed; refused before it was initialised. */
export async function loadSeal(db: Queryable): Promise<SealRow> {
  const seal = await db.selectFrom('seal').selectAll().executeTakeFirst()
  if (!seal) throw failure('sealed', 'seal.uninitialised', 'Holdfast is not initialised')
  return seal
}
