import type { Queryable } from '../storage/open.ts'
import type { SealRow } from '../storage/tables/seal.ts'

/** What an archive tells about the seal of its store. */
export type SealFacts = Pick<SealRow, 'cluster_id' | 'cluster_name' | 'type' | 'shares' | 'threshold'>

/** How the store is sealed; undefined before it was initialised. */
export const loadSealFacts = (db: Queryable): Promise<SealFacts | undefined> =>
  db.selectFrom('seal').select(['cluster_id', 'cluster_name', 'type', 'shares', 'threshold']).executeTakeFirst()
