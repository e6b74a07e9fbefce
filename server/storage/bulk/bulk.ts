import { failure } from '../../kernel/failure.ts'
import type { BulkLoader, BulkReader } from './bulk-access.ts'
import type { Replacement, ReplacementPlan } from './replacement.ts'
import { openSqliteLoader, openSqliteReader } from './sqlite-bulk.ts'
import { prepareSqlite, replaceSqlite, swapSqlite } from './sqlite-replace.ts'
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

/** Does to a scratch database beforehand what takes long and hinders nobody. */
export async function prepareTables(live: BulkTarget, scratch: BulkTarget, plan: ReplacementPlan): Promise<void> {
  if (live.engine === 'sqlite' && scratch.engine === 'sqlite') return prepareSqlite(live.file, scratch.file, plan)
  if (live.engine === 'sqlite' || scratch.engine === 'sqlite') throw otherEngine()
  const { preparePostgres } = await import('./postgres-replace.ts')
  await preparePostgres({ live, scratch }, plan)
}

/**
 * Puts a prepared scratch file in the place of that of a store whose connections are closed. Undefined, and nothing is
 * changed, where that is not possible.
 */
export const swapFiles = (live: BulkTarget, scratch: BulkTarget, plan: ReplacementPlan): Replacement | undefined =>
  live.engine === 'sqlite' && scratch.engine === 'sqlite' ? swapSqlite(live.file, scratch.file, plan) : undefined

/** Puts the tables of a prepared scratch database in the place of those of a store, all of them or none. */
export async function replaceTables(
  live: BulkTarget,
  scratch: BulkTarget,
  plan: ReplacementPlan,
): Promise<Replacement> {
  if (live.engine === 'sqlite' && scratch.engine === 'sqlite') return replaceSqlite(live.file, scratch.file, plan)
  if (live.engine === 'sqlite' || scratch.engine === 'sqlite') throw otherEngine()
  const { replacePostgres } = await import('./postgres-replace.ts')
  return await replacePostgres({ live, scratch }, plan)
}

const otherEngine = (): Error =>
  failure('internal', 'archive.other-engine', 'A scratch database of another engine cannot be swapped in.')
