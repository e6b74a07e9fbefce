import type { Queryable } from '../../../storage/open.ts'
import { loadNewestGoodAttempts } from './attempt-store.ts'

/** How long a configuration has been without a good snapshot, and how often it should have one. */
type OverdueFacts = { readonly name: string; readonly interval: number; readonly since: number }

/** The facts about every configuration that is not paused. */
export async function loadOverdueFacts(db: Queryable): Promise<OverdueFacts[]> {
  const rows = await db
    .selectFrom('snapshot_configurations as c')
    .leftJoin('snapshot_attempts as a', (join) =>
      join.onRef('a.name', '=', 'c.name').on('a.error', '=', '').on('a.ended_at', 'is not', null),
    )
    .select((eb) => ['c.name', 'c.interval_s', 'c.created_at', eb.fn.max('a.ended_at').as('ended_at')])
    .where('c.paused', '=', 0)
    .groupBy(['c.name', 'c.interval_s', 'c.created_at'])
    .execute()
  return rows.map((row) => ({
    name: row.name,
    interval: row.interval_s,
    since: Number(row.ended_at ?? row.created_at),
  }))
}

/** How many configurations that are not paused have a newest snapshot that was not verified because of an error. */
export async function countUnverified(db: Queryable): Promise<number> {
  const failed = new Set((await loadNewestGoodAttempts(db)).flatMap((each) => (each.verify_error ? [each.name] : [])))
  if (failed.size === 0) return 0
  const rows = await db
    .selectFrom('snapshot_configurations')
    .select('name')
    .where('paused', '=', 0)
    .where('verify', '!=', 'none')
    .execute()
  return rows.filter(({ name }) => failed.has(name)).length
}

/** How many configurations are paused, by hand or since they were restored from another installation. */
export async function countPaused(db: Queryable): Promise<number> {
  const { count } = await db
    .selectFrom('snapshot_configurations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('paused', '!=', 0)
    .executeTakeFirstOrThrow()
  return Number(count)
}
