import { LRUCache } from 'lru-cache'
import { type Db, perStore, type Queryable } from '../../../storage/open.ts'
import type { Workspace } from './workspace.ts'
import { toWorkspace, type WorkspaceRow } from './workspace-row-store.ts'

/**
 * Identifies one state of a workspace: every write changes the revision, and a restore of the database moves lock
 * generations beyond all that were issued before.
 */
export type Stamp = Pick<WorkspaceRow, 'id' | 'revision' | 'lock_generation' | 'updated_at'>

/** The columns of a stamp. */
export const stampColumns = ['id', 'revision', 'lock_generation', 'updated_at'] as const

type CachedWorkspace = { readonly stamp: Stamp; readonly workspace: Workspace }

const cacheOf = perStore(() => new LRUCache<string, CachedWorkspace>({ max: 5_000 }))

const isSame = (a: Stamp, b: Stamp): boolean =>
  a.revision === b.revision && a.lock_generation === b.lock_generation && a.updated_at === b.updated_at

/**
 * The workspace of a stamp, if it was read before and has not changed: then reading the columns of the stamp is enough.
 */
export function recallWorkspace(db: Queryable, stamp: Stamp): Workspace | undefined {
  const before = cacheOf(db).get(stamp.id)
  return before && isSame(before.stamp, stamp) ? before.workspace : undefined
}

/**
 * Remembers the workspace of a row that was read outside of transactions; what a transaction sees may never be
 * committed.
 */
export function rememberWorkspace(db: Db, row: WorkspaceRow): Workspace {
  const before = recallWorkspace(db, row)
  if (before) return before
  const { id, revision, lock_generation, updated_at } = row
  const workspace = toWorkspace(row)
  cacheOf(db).set(id, { stamp: { id, revision, lock_generation, updated_at }, workspace })
  return workspace
}

/** Remembers a workspace as a transaction has written it; to be called once that has committed. */
export function rememberStored(db: Db, workspace: Workspace): void {
  const { id, revision, lockGeneration, updatedAt } = workspace
  const stamp = { id, revision, lock_generation: lockGeneration, updated_at: updatedAt }
  cacheOf(db).set(id, { stamp, workspace })
}

/**
 * The workspace as this node saw it last. It may have changed since: only for callers that notice this when they
 * write.
 */
export const lastSeen = (db: Queryable, id: string): Workspace | undefined => cacheOf(db).get(id)?.workspace

/** The workspaces of these stamps, in their order; those that were deleted meanwhile are left out. */
export async function workspacesOf(db: Queryable, stamps: readonly Stamp[]): Promise<Workspace[]> {
  const recalled = new Map<string, Workspace>()
  const missing: string[] = []
  for (const stamp of stamps) {
    const workspace = recallWorkspace(db, stamp)
    if (workspace) recalled.set(stamp.id, workspace)
    else missing.push(stamp.id)
  }
  if (missing.length > 0) {
    const rows = await db.selectFrom('workspaces').selectAll().where('id', 'in', missing).execute()
    for (const row of rows) recalled.set(row.id, db.isTransaction ? toWorkspace(row) : rememberWorkspace(db, row))
  }
  return stamps.flatMap(({ id }) => recalled.get(id) ?? [])
}
