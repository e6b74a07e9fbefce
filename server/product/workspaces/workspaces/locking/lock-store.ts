import type { Instant } from '../../../../kernel/clock.ts'
import { removedIds } from '../../../../kit/removals/index.ts'
import { hotQuery } from '../../../../storage/hot.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'

type WantedLock = { id: string; generation: number; now: Instant }

const lockForUpdateQuery = hotQuery('workspaces.lock-held', (db, { id, generation, now }: WantedLock) =>
  db
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', id)
    .where('lock_generation', '=', generation)
    .where('locked_at', 'is not', null)
    .where((eb) => eb.or([eb('lock_expires_at', 'is', null), eb('lock_expires_at', '>', now)]))
    .forNoKeyUpdate(),
)

/** True if this lock is in force; nobody can change it before this transaction ends. */
export const confirmLockForUpdate = async (
  tx: Tx,
  { id, lockGeneration }: { readonly id: string; readonly lockGeneration: number },
  now: Instant,
): Promise<boolean> => (await lockForUpdateQuery.first(tx, { id, generation: lockGeneration, now })) !== undefined

/** Workspaces whose lock should have ended by now, the longest overdue first. */
export async function listExpiredLocks(db: Queryable, now: Instant, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('workspaces')
    .select('id')
    .where('lock_expires_at', 'is not', null)
    .where('lock_expires_at', '<=', now)
    .where('organization_id', 'not in', removedIds(db, 'organization'))
    .orderBy('lock_expires_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** A lock that is held for long. */
export type LongLock = {
  readonly id: string
  readonly projectId: string
  readonly name: string
  readonly holder: string
  readonly reason: string
  readonly lockedAt: number
}

/** The locks of an organization that began by `until` and are in force, the oldest first. */
export async function listLongLocks(
  db: Queryable,
  ask: { organizationId: string; until: number; now: number; limit: number; offset: number },
): Promise<LongLock[]> {
  const rows = await db
    .selectFrom('workspaces')
    .select(['id', 'project_id', 'name', 'locked_by_name', 'locked_reason', 'locked_at'])
    .where('organization_id', '=', ask.organizationId)
    .where('locked_at', 'is not', null)
    .where('locked_at', '<=', ask.until)
    .where((eb) => eb.or([eb('lock_expires_at', 'is', null), eb('lock_expires_at', '>', ask.now)]))
    .orderBy('locked_at')
    .orderBy('id')
    .limit(ask.limit)
    .offset(ask.offset)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    holder: row.locked_by_name ?? '',
    reason: row.locked_reason,
    lockedAt: row.locked_at ?? 0,
  }))
}
