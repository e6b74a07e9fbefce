import type { Queryable } from '../../storage/open.ts'
import type { ChangePlace, RecordedChange } from './change-rules.ts'
import { toChange } from './change-store.ts'

/** Whose changes are followed: those of an organization, or of one workspace of it. */
export type FeedScope = { readonly organizationId: string; readonly workspaceId?: string | undefined }

const scopedQuery = (db: Queryable, { organizationId, workspaceId }: FeedScope) => {
  const query = db.selectFrom('change_log').where('organization_id', '=', organizationId)
  return workspaceId === undefined ? query : query.where('workspace_id', '=', workspaceId)
}

/** The position of the newest change; 0 when there is none. */
export async function newestPosition(db: Queryable, scope: FeedScope): Promise<number> {
  const newest = await scopedQuery(db, scope).select('position').orderBy('position', 'desc').limit(1).executeTakeFirst()
  return newest?.position ?? 0
}

/** How many changes there are after a position. */
export async function countAfter(db: Queryable, scope: FeedScope, position: number): Promise<number> {
  const { total } = await scopedQuery(db, scope)
    .where('position', '>', position)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Changes after a position, oldest first. */
export async function changesAfter(
  db: Queryable,
  scope: FeedScope,
  { position, limit }: { readonly position: number; readonly limit: number },
): Promise<RecordedChange[]> {
  const rows = await scopedQuery(db, scope)
    .selectAll()
    .where('position', '>', position)
    .orderBy('position')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toChange)
}

/** The places after one position and up to another, the newest of them. */
export function placesBetween(
  db: Queryable,
  scope: FeedScope,
  range: { readonly after: number; readonly upTo: number; readonly limit: number },
): Promise<ChangePlace[]> {
  return scopedQuery(db, scope)
    .select(['id', 'position'])
    .where('position', '>', range.after)
    .where('position', '<=', range.upTo)
    .orderBy('position', 'desc')
    .orderBy('id', 'desc')
    .limit(range.limit)
    .execute()
}

/** The changes with these ids, oldest first. */
export async function changesById(db: Queryable, ids: readonly string[]): Promise<RecordedChange[]> {
  if (ids.length === 0) return []
  const query = db.selectFrom('change_log').selectAll().where('id', 'in', ids)
  return (await query.orderBy('position').orderBy('id').execute()).map(toChange)
}

/** The removals of those workspaces among these that are gone. */
export async function loadRemovals(db: Queryable, workspaceIds: readonly string[]): Promise<RecordedChange[]> {
  if (workspaceIds.length === 0) return []
  const query = db
    .selectFrom('change_log')
    .selectAll()
    .where('workspace_id', 'in', workspaceIds)
    .where('subject_type', '=', 'workspaces')
    .where('action', '=', 'delete')
  return (await query.execute()).map(toChange)
}
