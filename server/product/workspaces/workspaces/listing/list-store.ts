import { sql } from 'kysely'
import { hotQuery } from '../../../../storage/hot.ts'
import type { Queryable } from '../../../../storage/open.ts'
import { type Stamp, stampColumns, workspacesOf } from '../known-workspaces-store.ts'
import type { Workspace } from '../workspace.ts'
import { toWorkspace, type WorkspaceRow } from '../workspace-row-store.ts'
import { byFacts, type Condition, type Conditions, type Sql } from './condition-store.ts'
import type { ListOrder, ListStart, RowPlace } from './workspace-list.ts'

/** The columns of each order, whose index has the one by which a row is found again. */
const orders = {
  /** Index: workspaces_created. */
  created: { columns: ['created_at', 'id'], key: 'id' },
  /** Index: workspaces_name. */
  name: { columns: ['name'], key: 'name' },
  /** Index: workspaces_changed. */
  'latest-change': { columns: ['latest_change_at', 'created_at', 'id'], key: 'id' },
} as const

/** Which rows of a list are wanted: after a place, or so many after the first. Backwards, the last row is the first. */
export type ListRange = {
  readonly order: ListOrder
  readonly after?: RowPlace
  readonly offset: number
  readonly limit: number
  readonly isBackwards?: boolean
}

type ListedBy = { readonly organizationId: string; readonly conditions: Conditions }

/** The workspaces of a list in a range: those that have not changed since they were last read are not read again. */
export async function listWorkspaces(db: Queryable, list: ListedBy, range: ListRange, start: ListStart) {
  const stamps = await readRange<Stamp>(
    db,
    list,
    range,
    start,
    sql`ws.id, ws.revision, ws.lock_generation, ws.updated_at`,
  )
  return await workspacesOf(db, stamps)
}

/**
 * The same with all columns. Fewer than the limit only if there are no more: one statement reads them, so that none can
 * be renamed or deleted between being found and being read.
 */
export async function listWhole(
  db: Queryable,
  list: ListedBy,
  range: ListRange,
  start: ListStart,
): Promise<Workspace[]> {
  return (await readRange<WorkspaceRow>(db, list, range, start, sql`ws.*`)).map(toWorkspace)
}

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

/** Places are found by their index alone, which passes by rows at a fraction of what reading them costs. */
function rowsOf<R>(found: Sql, { organizationId }: ListedBy, { order, offset, limit }: ListRange, columns: Sql) {
  const key = sql.ref(`ws.${orders[order.by].key}`)
  return sql<R>`select ${columns}
    from (select ${key} as key from ${found} limit cast(${limit} as bigint) offset cast(${offset} as bigint)) as page
    cross join workspaces as ws
    where ${key} = page.key and ws.organization_id = ${organizationId}
    order by ${sortBy(order, order.descending)}`
}

function sortBy({ by }: ListOrder, isDescending: boolean): Sql {
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  return sql.join(orders[by].columns.map((column) => sql`${sql.ref(`ws.${column}`)} ${direction}`))
}

const directionOf = ({ order, isBackwards }: ListRange): boolean => order.descending !== (isBackwards ?? false)

/** The condition whose index has workspaces in the wanted order; without one, that of the organization has them. */
export const baseOf = ({ all }: Conditions, { by }: ListOrder): Condition | undefined =>
  by === 'created' ? all.find(({ byCreation }) => byCreation) : undefined

function inOrder({ organizationId, conditions }: ListedBy, range: ListRange): Sql {
  const base = baseOf(conditions, range.order)?.byCreation ?? sql`ws.organization_id = ${organizationId}`
  const sorted = sortBy(range.order, directionOf(range))
  return sql`workspaces as ws where ${base} and ${afterPlace(range)} order by ${sorted}`
}

/** Those workspaces in order that meet the conditions; so many are looked at. A subselect hands them on in its order. */
function walkOf(list: ListedBy, range: ListRange, most: number): Sql {
  const { all, none } = list.conditions
  const base = baseOf(list.conditions, range.order)
  const conditions = meeting(
    sql`ws.id`,
    all.filter((each) => each !== base),
    none,
  )
  const rows = inOrder(list, range)
  return conditions ? sql`(select * from ${rows} limit cast(${most} as bigint)) as ws where ${conditions}` : rows
}

/** True if there are more workspaces in order than this. */
async function isLonger(db: Queryable, list: ListedBy, range: ListRange, walked: number): Promise<boolean> {
  const rest = sql`select 1 from ${inOrder(list, range)} limit 1 offset cast(${walked} as bigint)`
  return (await rest.execute(db)).rows.length > 0
}

/** All that meet a condition, of which those that meet the others are sorted. */
function collectionOf(db: Queryable, { conditions }: ListedBy, range: ListRange, source: Condition): Sql {
  const others = conditions.all.filter((each) => each !== source)
  return sql`(${source.ids}) as found cross join workspaces as ws ${byFacts(db)}
    where ws.id = found.id and ${meeting(sql`found.id`, others, conditions.none) ?? always} and ${afterPlace(range)}
    order by ${sortBy(range.order, directionOf(range))}`
}

const always = sql`1 = 1`

function meeting(id: Sql, all: readonly Condition[], none: readonly Condition[]): Sql | undefined {
  const parts = [...all.map(({ meets }) => meets(id)), ...none.map(({ meets }) => sql`not (${meets(id)})`)]
  return parts.length === 0 ? undefined : sql.join(parts, sql` and `)
}

function afterPlace(range: ListRange): Sql {
  const { order, after } = range
  if (!after) return always
  const { columns } = orders[order.by]
  const operator = sql.raw(order.descending ? '<' : '>')
  return sql`(${sql.join(columns.map((column) => sql.ref(`ws.${column}`)))}) ${operator} (${sql.join(columns.map((column) => after[column]))})`
}

/** How many workspaces meet one condition. */
export async function countMeeting(db: Queryable, { ids, scan, count }: Condition): Promise<number> {
  const counted = (rows: Sql) => sql`select count(*) as total from (${rows}) as found`
  if (!scan) return await totalOf(db, count ?? counted(ids))
  const some = await totalOf(db, counted(sql`${ids} limit cast(${scan.above + 1} as bigint)`))
  return some > scan.above ? await totalOf(db, counted(scan.ids)) : some
}

/** How many workspaces meet all conditions, of which one has ids to start from. */
export async function countMeetingAll(db: Queryable, source: Condition, all: readonly Condition[]): Promise<number> {
  const others = all.filter((each) => each !== source)
  return await totalOf(
    db,
    sql`select count(*) as total from (${source.ids}) as found cross join workspaces as ws ${byFacts(db)}
      where ws.id = found.id and ${meeting(sql`found.id`, others, []) ?? always}`,
  )
}

/** How many workspaces an organization has, or one of its projects; read from counters. */
export async function countAllWorkspaces(db: Queryable, organizationId: string, projectId?: string): Promise<number> {
  const ofProject = projectId === undefined ? always : sql`project_id = ${projectId}`
  return await totalOf(
    db,
    sql`select coalesce(sum(workspaces), 0) as total from workspace_counts
      where organization_id = ${organizationId} and ${ofProject}`,
  )
}

async function totalOf(db: Queryable, query: Sql): Promise<number> {
  const { rows } = await sql<{ total: number }>`${query}`.execute(db)
  return Number(rows[0]?.total)
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
