import { type Awaitable, andThen } from '../../../../kernel/awaitable.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import { hotQuery } from '../../../../storage/hot.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import { lockColumns } from '../records/workspace-row-store.ts'
import type { Workspace, WorkspaceLock } from '../workspace-rules.ts'

type Swap = ReturnType<typeof lockColumns> & { id: string; generation: number; next: number; revision: number }

const swap = hotQuery('workspaces.swap-lock', (db, to: Swap) =>
  db
    .updateTable('workspaces')
    .set({
      locked_by_kind: to.locked_by_kind,
      locked_by_id: to.locked_by_id,
      locked_by_name: to.locked_by_name,
      locked_reason: to.locked_reason,
      locked_at: to.locked_at,
      lock_expires_at: to.lock_expires_at,
      lock_generation: to.next,
    })
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', to.id)
    .where('lock_generation', '=', to.generation)
    .where('revision', '=', to.revision),
)

const valuesOf = ({ id, revision, lockGeneration }: Workspace, next: WorkspaceLock | null): Swap => ({
  ...lockColumns(next),
  id,
  generation: lockGeneration,
  next: lockGeneration + 1,
  revision,
})

/** Writes only if the workspace is still the one that was read. False means that another write came first. */
export const swapLock = async (tx: Tx, seen: Workspace, next: WorkspaceLock | null): Promise<boolean> =>
  (await swap.run(tx, valuesOf(seen, next))) === 1

/** The same; if another write came first, the whole transaction is undone. */
export const claimSwap = (tx: Tx, seen: Workspace, next: WorkspaceLock | null): Awaitable<void> =>
  swap.claimBeforeCommit(tx, valuesOf(seen, next))

type HeldLock = { id: string; generation: number; now: Instant }

const lockHeld = hotQuery('workspaces.lock-held', (db, { id, generation, now }: HeldLock) =>
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
export const holdLock = (
  tx: Tx,
  { id, lockGeneration }: { readonly id: string; readonly lockGeneration: number },
  now: Instant,
): Awaitable<boolean> =>
  andThen(lockHeld.first(tx, { id, generation: lockGeneration, now }), (row) => row !== undefined)

/** Workspaces whose lock should have ended by now, the longest overdue first. */
export async function listExpiredLocks(db: Queryable, now: Instant, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('workspaces')
    .select('id')
    .where('lock_expires_at', 'is not', null)
    .where('lock_expires_at', '<=', now)
    .orderBy('lock_expires_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
