import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely'
import { hotQuery } from '../../../../storage/hot.ts'
import type { Queryable } from '../../../../storage/open.ts'
import { type Stamp, stampColumns, workspacesOf } from '../known-workspaces-store.ts'
import type { Workspace } from '../workspace.ts'
import { toWorkspace } from '../workspace-row-store.ts'
import {
  findRareColumns,
  type ListConditions,
  type ListQuery,
  narrowQuery,
  type RareColumns,
  rareLimit,
} from './narrow-store.ts'
import {
  idsMeeting,
  idsMeetingAll,
  idsMeetingAny,
  type Listed,
  meets,
  type TagCondition,
  type TaggedContext,
} from './tagged-store.ts'
import { isUnfiltered, type ListOrder, type PageStart, type RowPlace } from './workspace-list.ts'

export type { ListConditions } from './narrow-store.ts'

const tagConditionsOf = ({ filter }: ListConditions): readonly TagCondition[] => [
  ...filter.tagged,
  ...filter.tags.map((name) => ({ name })),
]

/** The workspaces of an organization, checked one by one: ends early if many match and only some are wanted. */
const scanQuery = (db: Queryable, conditions: ListConditions, rare: RareColumns): ListQuery<unknown> =>
  filterQuery(
    db
      .selectFrom('workspaces as ws')
      .where('ws.organization_id', '=', conditions.scope.organizationId) as ListQuery<unknown>,
    conditions,
    { tagConditions: tagConditionsOf(conditions), rare },
  )

/** The same, started from those tag conditions that few workspaces meet, if there are any. */
async function queryFromRareTags(db: Queryable, conditions: ListConditions): Promise<ListQuery<unknown>> {
  const tagConditions = tagConditionsOf(conditions)
  const rareTags = await findRareConditions(db, conditions.tagged, tagConditions)
  const rare = await findRareColumns(db, conditions)
  // Several frequent conditions may still be rare together; a single one is not worth starting from.
  const starting = rareTags.length > 0 ? rareTags : tagConditions.length > 1 ? tagConditions : []
  if (starting.length === 0) return scanQuery(db, conditions, rare)
  // SQLite keeps the order of a cross join; otherwise it would scan the whole organization.
  const query = db
    .selectFrom(idsMeetingAll(db, conditions.tagged, starting).as('tagged'))
    .crossJoin('workspaces as ws')
    .whereRef('ws.id', '=', 'tagged.id') as unknown as ListQuery<unknown>
  const remaining = tagConditions.filter((each) => !starting.includes(each))
  return filterQuery(query, conditions, { tagConditions: remaining, rare })
}

/** The conditions that few workspaces meet. */
async function findRareConditions(
  db: Queryable,
  tagged: TaggedContext,
  tagConditions: readonly TagCondition[],
): Promise<readonly TagCondition[]> {
  const rare: TagCondition[] = []
  for (const condition of tagConditions) {
    const some = idsMeeting(db, tagged, condition).limit(rareLimit)
    if ((await countOf(db, some)) < rareLimit) rare.push(condition)
  }
  return rare
}

async function countOf<D, T extends keyof D>(
  db: Queryable,
  ids: SelectQueryBuilder<D, T, { id: string }>,
): Promise<number> {
  const counted = db.selectFrom(ids.as('ids')).select(({ fn }) => fn.countAll<number>().as('count'))
  return Number((await counted.executeTakeFirstOrThrow()).count)
}

function filterQuery(
  query: ListQuery<unknown>,
  conditions: ListConditions,
  { tagConditions, rare }: { readonly tagConditions: readonly TagCondition[]; readonly rare: RareColumns },
): ListQuery<unknown> {
  const { tagged, filter } = conditions
  let kept = query
  for (const each of tagConditions) kept = kept.where((eb) => meets(eb, tagged, each))
  for (const name of filter.excludeTags) kept = kept.where((eb) => eb.not(meets(eb, tagged, { name })))
  return narrowQuery(kept, conditions, rare)
}

const stamps = ['ws.id', 'ws.revision', 'ws.lock_generation', 'ws.updated_at'] as const

/** One page of workspaces: those that have not changed since they were last read are not read again. */
export async function listWorkspaces(
  db: Queryable,
  conditions: ListConditions & { readonly order: ListOrder; readonly start: PageStart; readonly limit: number },
): Promise<Workspace[]> {
  const { order, start, limit } = conditions
  if (isEverything(conditions) && order.by === 'created') return await workspacesOf(db, await plainPage(db, conditions))
  const rare = await findRareColumns(db, conditions)
  let query = orderQuery(scanQuery(db, conditions, rare).select(stamps), order).limit(limit)
  if (start.offset > 0) query = query.offset(start.offset)
  const place = start.from ?? start.after
  if (place) query = query.where((eb) => comesAfter(eb, order, place, start.from !== undefined))
  return await workspacesOf(db, await query.execute())
}

const isEverything = ({ scope, filter }: ListConditions): boolean =>
  scope.visible.kind === 'all' && isUnfiltered(filter)

type PlainPage = { organizationId: string; limit: number; offset: number }
type PlainPlace = PlainPage & { createdAt: number; id: string }

const firstRows = hotQuery<PlainPage, Stamp>('workspaces.page', (db, { organizationId, limit, offset }) =>
  db
    .selectFrom('workspaces')
    .select(stampColumns)
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .offset(offset),
)

/** Pages that begin at a row or after it: one query for each, since an operator cannot be a parameter. */
const rowsFrom = (name: string, operator: '>=' | '>') =>
  hotQuery<PlainPlace, Stamp>(name, (db, { organizationId, createdAt, id, limit, offset }) =>
    db
      .selectFrom('workspaces')
      .select(stampColumns)
      .where('organization_id', '=', organizationId)
      .where((eb) => eb(eb.refTuple('created_at', 'id'), operator, eb.tuple(createdAt, id)))
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit)
      .offset(offset),
  )

const rowsAt = rowsFrom('workspaces.page-from', '>=')
const rowsAfter = rowsFrom('workspaces.page-after', '>')

/** The most frequent page: everything, in the order of creation. */
async function plainPage(
  db: Queryable,
  { scope, start, limit }: ListConditions & { readonly start: PageStart; readonly limit: number },
): Promise<Stamp[]> {
  const { organizationId } = scope
  const { from, after, offset } = start
  const place = from ?? after
  if (!place) return await firstRows.all(db, { organizationId, limit, offset })
  const { createdAt, id } = place
  return await (from ? rowsAt : rowsAfter).all(db, { organizationId, createdAt, id, limit, offset })
}

/**
 * Of the workspaces that match a filter, so many of those with a name after this one, by name. Fewer only if there are no
 * more: one statement reads them, so that none can be renamed or deleted between being found and being read.
 */
export async function listAfterName(
  db: Queryable,
  conditions: ListConditions,
  name: string,
  limit: number,
): Promise<Workspace[]> {
  const found = (await queryFromRareTags(db, conditions)).select('ws.id').where('ws.name', '>', name)
  const ids = orderQuery(found, { by: 'name', descending: false }).limit(limit)
  const rows = await db.selectFrom('workspaces').selectAll().where('id', 'in', ids).orderBy('name').execute()
  return rows.map(toWorkspace)
}

/** How many workspaces with a name after this one match a filter. */
export async function countAfterName(db: Queryable, conditions: ListConditions, name: string): Promise<number> {
  const query = (await queryFromRareTags(db, conditions)).where('ws.name', '>', name)
  const counted = query.select(({ fn }) => fn.countAll<number>().as('total'))
  return Number((await counted.executeTakeFirstOrThrow()).total)
}

/** The ids of all workspaces that match a filter, in order; undefined when there are more than `most`. */
export async function listIds(
  db: Queryable,
  conditions: ListConditions & { readonly order: ListOrder },
  most: number,
): Promise<string[] | undefined> {
  const query = orderQuery((await queryFromRareTags(db, conditions)).select('ws.id'), conditions.order).limit(most + 1)
  const rows = await query.execute()
  return rows.length > most ? undefined : rows.map(({ id }) => id)
}

/** The workspaces with these ids, in this order; those that are gone are left out. */
export async function listByIds(db: Queryable, ids: readonly string[]): Promise<Workspace[]> {
  if (ids.length === 0) return []
  const found = await db.selectFrom('workspaces as ws').select(stamps).where('ws.id', 'in', ids).execute()
  const byId = new Map<string, Stamp>(found.map((stamp) => [stamp.id, stamp]))
  return await workspacesOf(
    db,
    ids.flatMap((id) => byId.get(id) ?? []),
  )
}

/** How many workspaces match a filter and the caller's rights. */
export async function countListed(db: Queryable, conditions: ListConditions): Promise<number> {
  const { scope, filter, tagged } = conditions
  const tagConditions = tagConditionsOf(conditions)
  const onlyTags = scope.visible.kind === 'all' && isUnfiltered({ ...filter, tags: [], tagged: [], excludeTags: [] })
  if (onlyTags && filter.excludeTags.length === 0) return await countOf(db, idsMeetingAll(db, tagged, tagConditions))
  if (onlyTags && tagConditions.length === 0) {
    const excluded = filter.excludeTags.map((name) => ({ name }))
    const all = await countAllWorkspaces(db, scope.organizationId)
    return all - (await countOf(db, idsMeetingAny(db, tagged, excluded)))
  }
  const counted = (await queryFromRareTags(db, conditions)).select(({ fn }) => fn.countAll<number>().as('total'))
  return Number((await counted.executeTakeFirstOrThrow()).total)
}

function orderQuery<O>(query: ListQuery<O>, { by, descending }: ListOrder): ListQuery<O> {
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
