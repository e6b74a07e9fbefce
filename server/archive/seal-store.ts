import { failure } from '../kernel/failure.ts'
import type { Queryable } from '../storage/open.ts'
import type { SealRow } from '../storage/tables/seal.ts'

/** How the store is sealed; refused before it was initialised. */
export async function loadSeal(db: Queryable): Promise<SealRow> {
  const seal = await db.selectFrom('seal').selectAll().executeTakeFirst()
  if (!seal) throw failure('sealed', 'seal.uninitialised', 'Holdfast is not initialised')
  return seal
}
