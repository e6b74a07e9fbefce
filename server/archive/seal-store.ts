import type { Queryable } from '../storage/open.ts'
import type { SealRow } from '../storage/tables/seal.ts'

/** How the store is sealed; undefined before it was initialised. */
export const loadSeal = (db: Queryable): Promise<SealRow | undefined> =>
  db.selectFrom('seal').selectAll().executeTakeFirst()
