import { type Failure, failure } from '../kernel/failure.ts'
import type { Db } from './database.ts'

/** The statement that moves an area's version and tells the new one; the same on both engines but for its parameter. */
export const bumpSql = (parameter: '?' | '$1'): string =>
  `insert into versions (area, version) values (${parameter}, 1) ` +
  'on conflict (area) do update set version = versions.version + 1 returning version'

/** An operation id was used before: what it names has been done. */
export const repeatedOperation = (id: string): Failure =>
  failure('conflict', 'storage.operation-repeated', `The operation '${id}' has already been carried out.`)

/** Forgets operations that ended before this time; long after anyone could still ask how their commit went. */
export async function sweepOperations(db: Db, before: number): Promise<number> {
  const result = await db.deleteFrom('operations').where('created_at', '<', before).executeTakeFirst()
  return Number(result.numDeletedRows)
}
