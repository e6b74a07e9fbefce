import { failure } from '../../kernel/failure.ts'
import type { BulkLoader, BulkReader } from './bulk-access.ts'
import type { Replacement, ReplacementPlan } from './replacement.ts'
import { openSqliteLoader, openSqliteReader } from './sqlite-bulk.ts'
import { replaceSqlite } from './sqlite-replace.ts'
import type { BulkTarget } from './table-shape.ts'

export type { BulkReader } from './bulk-access.ts'

// Bulk threads are short-lived, so the PostgreSQL driver is loaded only by those that need it.
const postgresReader = async () => (await import('./postgres-bulk.ts')).openPostgresReader
const postgresLoader = async () => (await import('./postgres-load.ts')).openPostgresLoader

/** Begins a consistent read of a whole database. */
export const openBulkReader = async (target: BulkTarget): Promise<BulkReader> =>
  target.engine === 'sqlite' ? await openSqliteReader(target) : await (await postgresReader())(target)

/** Begins to fill a database. */
export const openBulkLoader = async (target: BulkTarget): Promise<BulkLoader> =>
  target.engine === 'sqlite' ? await openSqliteLoader(target) : await (await postgresLoader())(target)

/** Puts the tables of a scratch database in the place of those of a store, all of them or none. */
export async function replaceTables(
  live: BulkTarget,
  scratch: BulkTarget,
  plan: ReplacementPlan,
): Promise<Replacement> {
  if (live.engine === 'sqlite' && scratch.engine === 'sqlite') return replaceSqlite(live.file, scratch.file, plan)
  if (live.engine === 'postgres' && scratch.engine === 'postgres') {
    const { replacePostgres } = await import('./postgres-replace.ts')
    return await replacePostgres(live, scratch, plan)
  }
  throw failure('internal', 'archive.other-engine', 'A scratch database of another engine cannot be swapped in.')
}
