import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Queryable } from '../../../storage/open.ts'
import { contains, likeWildcard } from '../../../storage/search.ts'
import type { Tables } from '../../../storage/tables/index.ts'
import type { WorkspaceRow } from '../../../storage/tables/workspaces.ts'
import { workspacesOf } from '../known-workspaces-store.ts'
import type { Workspace } from '../workspace-rules.ts'
import type { ListOrder, ListScope, PageStart, RowPlace, WorkspaceFilter } from './list-rules.ts'
import { effectivelyTagged, namedByTag, type TaggedContext } from './tagged-store.ts'

type Listed = Tables & { ws: WorkspaceRow }
type ListQuery<O> = SelectQueryBuilder<Listed, 'ws', O>

/** What is asked of the store. */
export type ListWish = {
  readonly scope: ListScope
  readonly filter: WorkspaceFilter
  readonly tagged: TaggedContext
}

/** Ids beyond this number are looked up through the teams that grant them. */
const mostListedIds = 1_000

/** The workspaces that a filter and the caller's rights let through. */
function matching(db: Queryable, { scope, filter, tagged }: ListWish): ListQuery<unknown> {
  const wishes = [
    ...filter.tagged.map((wish) => effectivelyTagged(tagged, wish)),
    ...filter.tags.map((name) => namedByTag(tagged, name)),
  ]
  const [first, ...others] = wishes
  let query = db
    .selectFrom('workspaces as ws')
    .where('ws.organization_id', '=', scope.organizationId) as ListQuery<unknown>
  if (first) {
    // Both engines answer an intersection of few columns far faster than a test of each workspace.
    const wrap = (wish: typeof first) => db.selectFrom(wish.as('tagged')).select('tagged.id')
    const all = others.reduce((joined, wish) => joined.intersect(wrap(wish)), wrap(first))
    query = query.where('ws.id', 'in', all)
  }
  for (const name of filter.excludeTags) query = query.where('ws.id', 'not in', namedByTag(tagged, name))
  if (filter.nameContains !== undefined) query = query.where(contains('ws.name_key', filter.nameContains))
  if (filter.nameLike) query = query.where(likeWildcard('ws.name_key', filter.nameLike))
  if (filter.projectId !== undefined) query = query.where('ws.project_id', '=', filter.projectId)
  if (filter.runStatuses.length > 0) query = query.where(sql<boolean>`1 = 0`)
  return scope.visible.kind === 'all' ? query : query.where((eb) => isVisible(eb, scope, scope.visible))
}

function isVisible(eb: ExpressionBuilder<Listed, 'ws'>, { teamIds }: ListScope, visible: ListScope['visible']) {
  if (visible.kind === 'all') return eb.lit(true)
  const { projectIds, workspaceIds } = visible
  const granted =
    workspaceIds.length <= mostListedIds
      ? eb('ws.id', 'in', workspaceIds)
      : eb('ws.id', 'in', eb.selectFrom('team_workspace_access').select('workspace_id').where('team_id', 'in', teamIds))
  return eb.or([eb('ws.project_id', 'in', projectIds), granted])
}

const stamps = ['ws.id', 'ws.revision', 'ws.lock_generation', 'ws.updated_at'] as const

/** One page of workspaces: what has not changed since it was read before is not read again. */
export async function listWorkspaces(
  db: Queryable,
  wish: ListWish & { readonly order: ListOrder; readonly start: PageStart; readonly limit: number },
): Promise<Workspace[]> {
  const { order, start, limit } = wish
  let query = ordered(matching(db, wish).select(stamps), order).limit(limit)
  if (start.offset > 0) query = query.offset(start.offset)
  const place = start.from ?? start.after
  if (place) query = query.where((eb) => comesAfter(eb, order, place, start.from !== undefined))
  return await workspacesOf(db, await query.execute())
}

/** How many workspaces a filter and the caller's rights let through. */
export async function countListed(db: Queryable, wish: ListWish): Promise<number> {
  const { total } = await matching(db, wish)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

function ordered<O>(query: ListQuery<O>, { by, descending }: ListOrder): ListQuery<O> {
  const direction = descending ? 'desc' : 'asc'
  if (by === 'name') return query.orderBy('ws.name', direction)
  const byTime = by === 'latest-change' ? query.orderBy('ws.latest_change_at', direction) : query
  return byTime.orderBy('ws.created_at', direction).orderBy('ws.id', direction)
}

function comesAfter(
  eb: ExpressionBuilder<Listed, 'ws'>,
  { by, descending }: ListOrder,
  place: RowPlace,
  inclusive: boolean,
) {
  const operator = `${descending ? '<' : '>'}${inclusive ? '=' : ''}` as '<' | '>' | '<=' | '>='
  if (by === 'name') return eb('ws.name', operator, place.name)
  if (by === 'created') {
    return eb(eb.refTuple('ws.created_at', 'ws.id'), operator, eb.tuple(place.createdAt, place.id))
  }
  return eb(
    eb.refTuple('ws.latest_change_at', 'ws.created_at', 'ws.id'),
    operator,
    eb.tuple(place.latestChangeAt, place.createdAt, place.id),
  )
}

/** How many workspaces an organization has, or one of its projects; read from counters. */
export async function countAllWorkspaces(db: Queryable, organizationId: string, projectId?: string): Promise<number> {
  let query = db
    .selectFrom('workspace_counts')
    .select(({ fn }) => fn.sum<number>('workspaces').as('total'))
    .where('organization_id', '=', organizationId)
  if (projectId !== undefined) query = query.where('project_id', '=', projectId)
  const row = await query.executeTakeFirst()
  return Number(row?.total ?? 0)
}
