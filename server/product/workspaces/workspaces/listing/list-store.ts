import { sql } from 'kysely'
import { hotQuery } from '../../../../storage/hot.ts'
import { isRemote, type Queryable } from '../../../../storage/open.ts'
import { type Stamp, stampColumns, workspacesOf } from '../known-workspaces-store.ts'
import type { Workspace } from '../workspace.ts'
import { toWorkspace, type WorkspaceRow } from '../workspace-row-store.ts'
import { type Condition, type Conditions, facts, joined, type Sql } from './condition-store.ts'
import type { ListOrder, ListStart, RowPlace } from './workspace-list.ts'

/** The columns of each order, and the one by which a row is found again: an index has them all. */
const orders = {
  /** Index: workspaces_created. */
  created: { columns: ['created_at', 'id'], key: 'id' },
  /** Index: workspaces_name. */
  name: { columns: ['name'], key: 'name' },
  /** Index: workspaces_oldest_run. */
  'oldest-run': { columns: ['current_run_at_or_last', 'created_at', 'id'], key: 'id' },
  /** Index: workspaces_newest_run. */
  'newest-run': { columns: ['current_run_newest_first', 'created_at', 'id'], key: 'id' },
  /** Index: workspaces_changed. */
  'latest-change': { columns: ['latest_change_at', 'created_at', 'id'], key: 'id' },
} as const

/** Which rows of a list are wanted: after a place or the first, or backwards from one or the last. */
export type ListRange = {
  readonly order: ListOrder
  readonly after?: RowPlace
  readonly offset: number
  readonly limit: number
  readonly isBackwards?: boolean
}

/** Whose workspaces are listed, and which. */
export type ListedBy = { readonly organizationId: string; readonly conditions: Conditions }

/** The workspaces in a range of a list: those that have not changed since they were last read are not read again. */
export const listWorkspaces = async (db: Queryable, list: ListedBy, range: ListRange, start: ListStart) =>
  await workspacesOf(db, await readRange<Stamp>(db, list, range, start, joinedColumns(stampColumns)))

/**
 * The same with all columns. Fewer than the limit only if there are no more: one statement reads them, so that none can
 * be renamed or deleted between being found and being read.
 */
export const listWhole = async (db: Queryable, list: ListedBy, range: ListRange, start: ListStart) =>
  (await readRange<WorkspaceRow>(db, list, range, start, sql`ws.*`)).map(toWorkspace)

const joinedColumns = (columns: readonly string[]): Sql => sql.join(columns.map((column) => sql.ref(`ws.${column}`)))

async function readRange<R>(
  db: Queryable,
  list: ListedBy,
  range: ListRange,
  { walk, collect }: ListStart,
  columns: Sql,
): Promise<R[]> {
  const read = async (found: Sql) => (await rowsOf<R>(found, list, range, columns).execute(db)).rows
  const source = collect === undefined ? undefined : list.conditions.all[collect]
  if (!source) return await read(walkOf(list, range, Number.MAX_SAFE_INTEGER))
  if (walk > 0) {
    const rows = await read(walkOf(list, range, walk))
    if (rows.length === range.limit || !(await isLonger(db, list, range, walk))) return rows
  }
  return await read(collectionOf(db, list, range, source))
}

const limited = (limit: number, offset: number): Sql =>
  sql`limit cast(${limit} as bigint) offset cast(${offset} as bigint)`

/** Rows are found by an index alone, which passes by others at a fraction of what reading them costs. */
function rowsOf<R>(found: Sql, { organizationId }: ListedBy, { order, offset, limit }: ListRange, columns: Sql) {
  const key = sql.ref(`ws.${orders[order.by].key}`)
  return sql<R>`select ${columns}
    from (select ${key} as key from ${found} ${limited(limit, offset)}) as page cross join workspaces as ws
    where ${key} = page.key and ws.organization_id = ${organizationId} order by ${sortBy(order)}`
}

const sortBy = ({ by, descending }: ListOrder, isBackwards = false): Sql =>
  sql.join(
    orders[by].columns.map(
      (column) => sql`${sql.ref(`ws.${column}`)} ${sql.raw(descending === isBackwards ? 'asc' : 'desc')}`,
    ),
  )

/** Workspaces in order that meet all conditions, of which so many are looked at. A subselect hands them on in its order. */
function walkOf(list: ListedBy, range: ListRange, most: number): Sql {
  const base = baseOf(list.conditions, range.order)
  const others = list.conditions.all.filter((each) => each !== base)
  const inOrder = orderOf(list, range)
  if (others.length + list.conditions.none.length === 0) return inOrder
  return sql`(select * from ${inOrder} ${limited(most, 0)}) as ws where ${meeting(sql`ws.id`, others, list.conditions.none)}`
}

/** The condition whose index has workspaces in the wanted order; without one, that of the organization is taken. */
export const baseOf = ({ all }: Conditions, { by }: ListOrder): Condition | undefined =>
  by === 'created' ? all.find(({ byCreation }) => byCreation) : undefined

function orderOf({ organizationId, conditions }: ListedBy, range: ListRange): Sql {
  const base = baseOf(conditions, range.order)?.byCreation ?? sql`ws.organization_id = ${organizationId}`
  return sql`workspaces as ws where ${base} and ${isAfter(range)} order by ${sortBy(range.order, range.isBackwards)}`
}

/** True if there are more workspaces in order than this. */
const isLonger = async (db: Queryable, list: ListedBy, range: ListRange, walked: number): Promise<boolean> =>
  (await sql`select 1 from ${orderOf(list, range)} ${limited(1, walked)}`.execute(db)).rows.length > 0

/**
 * All that meet one condition; those that meet the others are sorted. PostgreSQL looks up an array of ids in one scan of an
 * index. Without one, it may walk the order instead, read the whole table, or remember each row in case it comes again.
 */
function collectionOf(
  db: Queryable,
  { conditions: { all, none } }: ListedBy,
  range: ListRange,
  source: Condition,
): Sql {
  const others = all.filter((each) => each !== source)
  const [ofIds, ofRows] = [byWhat(others, true), byWhat(others, false)]
  const [notOfIds, notOfRows] = [byWhat(none, true), byWhat(none, false)]
  const found = sql`select found.id from (${source.ids}) as found where ${meeting(sql`found.id`, ofIds, notOfIds)}`
  const rows = isRemote(db)
    ? sql`workspaces as ws where ws.id = any(array(${found}))`
    : sql`(${found}) as found cross join ${facts(db)} where ws.id = found.id`
  return sql`${rows} and ${meeting(sql`ws.id`, ofRows, notOfRows)} and ${isAfter(range)}
    order by ${sortBy(range.order, range.isBackwards)}`
}

/** Those conditions that look at nothing but an id, or the others. */
const byWhat = (conditions: readonly Condition[], id: boolean): Condition[] =>
  conditions.filter(({ isById = false }) => isById === id)

const always = sql`1 = 1`

const meeting = (id: Sql, all: readonly Condition[], none: readonly Condition[] = []): Sql =>
  joined([always, ...all.map(({ meets }) => meets(id)), ...none.map(({ meets }) => sql`not (${meets(id)})`)], 'and')

function isAfter({ order: { by, descending }, after, isBackwards = false }: ListRange): Sql {
  if (!after) return always
  const { columns } = orders[by]
  const place = sql.join(columns.map((column) => after[column]))
  return sql`(${joinedColumns(columns)}) ${sql.raw(descending === isBackwards ? '>' : '<')} (${place})`
}

/** Where the row after so many stands in the order of a list without other conditions. */
export async function placeAt(
  db: Queryable,
  list: ListedBy,
  range: ListRange,
  passed: number,
): Promise<RowPlace | undefined> {
  const columns = joinedColumns(orders[range.order.by].columns)
  const { rows } = await sql<RowPlace>`select ${columns} from ${orderOf(list, range)} ${limited(1, passed)}`.execute(db)
  return rows[0]
}

/** How many workspaces meet a condition. */
export async function countMeeting(db: Queryable, { ids, scan }: Condition): Promise<number> {
  if (!scan) return await countRows(db, sql`(${ids}) as found`)
  const some = await countRows(db, sql`(${ids} ${limited(scan.above + 1, 0)}) as found`)
  return some <= scan.above ? some : await countRows(db, sql`(${scan.ids}) as found`)
}

/** How many workspaces meet one condition and others, too. */
export async function countMeetingAll(db: Queryable, source: Condition, others: readonly Condition[]): Promise<number> {
  const rows = others.every(({ isById }) => isById)
    ? sql`(${source.ids}) as found where`
    : sql`(${source.ids}) as found cross join ${facts(db)} where ws.id = found.id and`
  return await countRows(db, sql`${rows} ${meeting(sql`found.id`, others)}`)
}

async function countRows(db: Queryable, from: Sql): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${from}`.execute(db)
  return Number(rows[0]?.total)
}

/** How many workspaces an organization has, or one of its projects; read from counters. */
export async function countAllWorkspaces(db: Queryable, organizationId: string, projectId?: string): Promise<number> {
  let query = db
    .selectFrom('workspace_counts')
    .select(({ fn }) => fn.sum<number>('workspaces').as('total'))
    .where('organization_id', '=', organizationId)
  if (projectId !== undefined) query = query.where('project_id', '=', projectId)
  return Number((await query.executeTakeFirst())?.total ?? 0)
}

type FirstRows = { readonly organizationId: string; readonly limit: number }

const firstRows = hotQuery<FirstRows, Stamp>('workspaces.first-page', (db, { organizationId, limit }) =>
  db
    .selectFrom('workspaces')
    .select(stampColumns)
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit),
)

/** The most frequent page: the first of everything, in order of creation. */
export const listFirst = async (db: Queryable, first: FirstRows): Promise<Workspace[]> =>
  await workspacesOf(db, await firstRows.all(db, first))
