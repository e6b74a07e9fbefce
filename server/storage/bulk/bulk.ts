import type { BulkLoader, BulkReader } from './bulk-access.ts'
import { openPostgresLoader, openPostgresReader } from './postgres-bulk.ts'
import { openSqliteLoader, openSqliteReader } from './sqlite-bulk.ts'
import type { BulkTarget } from './table-shape.ts'

export type { BulkLoader, BulkReader } from './bulk-access.ts'

/** Begins a consistent read of a whole database. */
export const openBulkReader = (target: BulkTarget): Promise<BulkReader> =>
  target.engine === 'sqlite' ? openSqliteReader(target) : openPostgresReader(target)

/** Begins to fill a database. */
export const openBulkLoader = (target: BulkTarget): Promise<BulkLoader> =>
  target.engine === 'sqlite' ? openSqliteLoader(target) : openPostgresLoader(target)
