import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import {
  actorOf,
  type OrganizationGrants,
  type VisibleWorkspaces,
  visibleWorkspaces,
} from '../../../../access/permissions/index.ts'
import type { Searcher } from '../../../../access/searcher.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'
import type { Call } from '../../../../kit/endpoint.ts'
import { type PageRequest, rangeOf } from '../../../../kit/jsonapi/index.ts'
import { type Db, isRemote } from '../../../../storage/open.ts'
import type { Workspace } from '../workspace.ts'
import { type Condition, type Conditions, conditionsOf, namedAfter, withName } from './condition-store.ts'
import {
  baseOf,
  countAllWorkspaces,
  countMeeting,
  countMeetingAll,
  type ListedBy,
  type ListRange,
  listFirst,
  listWhole,
  listWorkspaces,
  placeAt,
} from './list-store.ts'
import {
  everyWorkspace,
  type KeyedScope,
  type ListOrder,
  type ListStart,
  listStart,
  type RowPlace,
  type WorkspaceFilter,
} from './workspace-list.ts'

const scopes = new WeakMap<OrganizationGrants, KeyedScope>()

/** What the caller sees of an organization: worked out once, since the grants are the same object until they change. */
export function scopeOf(grants: OrganizationGrants): KeyedScope {
  const known = scopes.get(grants)
  if (known) return known
  const { organizationId } = grants
  const visible = visibleWorkspaces(grants)
  const scope = { organizationId, visible, teamIds: [...grants.teamIds], key: `${organizationId} ${keyOf(visible)}` }
  scopes.set(grants, scope)
  return scope
}

/** Thousands of ids must not be part of every key of a cache. */
function keyOf(visible: VisibleWorkspaces): string {
  if (visible.kind === 'all') return 'all'
  return digest([visible.projectIds.toSorted(), visible.workspaceIds.toSorted()])
}

const digest = (parts: readonly unknown[]): string => hash('sha256', JSON.stringify(parts), 'base64url')

type ListDeps = Pick<Deps, 'db' | 'reads' | 'store' | 'clock'>

/** Where the last page ended that a caller was sent of a list. */
type PageEnd = { readonly page: number; readonly place: RowPlace }

/** Milliseconds after which a page counts as sent long ago, where other nodes may have sent it again. */
const besideOthers = 9_000

const memoryOf = perApp(({ db, clock }: ListDeps) => ({
  /** Exact counts, by version and conditions. */
  counts: new LRUCache<string, Promise<number>>({ max: 5_000 }),
  /** Places of rows that are far apart, by version and order. */
  marks: new LRUCache<string, RowPlace>({ max: 5_000 }),
  /** Where pages ended, by caller and list. */
  ends: new LRUCache<string, PageEnd>({
    max: 5_000,
    ttl: isRemote(db) ? besideOthers : 0,
    ttlResolution: 0,
    perf: { now: () => clock.now() },
  }),
}))

/** An organization of this size is read faster than a thread is asked. */
const smallOrganization = 1_000

/** What a filter makes of what a caller sees of an organization, as of now. */
type List = ListedBy & {
  readonly deps: ListDeps
  /** Where it is read. */
  readonly db: Db
  readonly now: Instant
}

async function listOf(deps: ListDeps, scope: KeyedScope, filter: WorkspaceFilter): Promise<List> {
  const { organizationId } = scope
  const now = deps.clock.now()
  const whole = { deps, db: deps.db, now, organizationId, conditions: { all: [], none: [] } }
  const size = await countOf(whole, [])
  const db = size <= smallOrganization ? deps.db : deps.reads
  return { ...whole, db, conditions: await conditionsOf({ db, scope, size, now }, filter) }
}

/** Tells what meets all of these conditions from all else, until that changes. */
function keyAsOf({ deps, now, organizationId }: List, all: readonly Condition[]): string {
  const { versions } = deps.store
  const isSilent = all.some(({ changes }) => changes)
  const time = all.some(({ changes }) => changes === 'with time') ? now : 0
  const version = isSilent ? versions.content() : versions.of('workspaces')
  return digest([version, isSilent, time, organizationId, ...all.map(({ key }) => key).toSorted()])
}

/** How many workspaces meet all of these conditions: counted once for each change. */
async function countOf(list: List, all: readonly Condition[]): Promise<number> {
  const key = keyAsOf(list, all)
  const { counts } = memoryOf(list.deps)
  const known = counts.get(key)
  if (known) return await known
  const counting = countNow(list, all)
  counts.set(key, counting)
  counting.catch(() => counts.delete(key))
  return await counting
}

async function countNow(list: List, all: readonly Condition[]): Promise<number> {
  const [first, ...others] = all
  if (!first) return await countAllWorkspaces(list.db, list.organizationId)
  if (others.length === 0) return await countMeeting(list.db, first)
  const found = await countEach(list, all)
  const fewest = all[found.indexOf(Math.min(...found))] ?? first
  return found.includes(0)
    ? 0
    : await countMeetingAll(
        list.db,
        fewest,
        all.filter((each) => each !== fewest),
      )
}

async function countEach(list: List, all: readonly Condition[]): Promise<number[]> {
  const found: number[] = []
  for (const each of all) found.push(await countOf(list, [each]))
  return found
}

/** Those that meet none of some conditions are all but those that do, of which an index knows. */
async function totalOf(list: List, { all, none }: Conditions): Promise<number> {
  const [first, ...others] = none
  if (!first) return await countOf(list, all)
  return (await totalOf(list, { all, none: others })) - (await totalOf(list, { all: [...all, first], none: others }))
}

/** The condition in whose index the order is, if there is one, and whether it is the only one. */
function baseIn({ conditions }: List, order: ListOrder): { base: readonly Condition[]; isPlain: boolean } {
  const base = baseOf(conditions, order)
  const isPlain = conditions.none.length === 0 && conditions.all.every((each) => each === base)
  return { base: base ? [base] : [], isPlain }
}

/** How the workspaces in a range of a list are found best. */
async function startOf(list: List, { order, offset, limit }: ListRange, total: number): Promise<ListStart> {
  const { base, isPlain } = baseIn(list, order)
  return listStart({
    all: await countOf(list, base),
    total,
    wanted: offset + limit,
    found: isPlain ? [] : await countEach(list, list.conditions.all),
  })
}

/** A page so far from the first row is found from the last one, if that is nearer, or from a place in between. */
const far = 10_000

/** The same range from the nearest of the places that are so far apart, if an index has nothing else. */
async function fromMark(list: List, range: ListRange): Promise<ListRange> {
  const { order, isBackwards } = range
  const { base, isPlain } = baseIn(list, order)
  const { marks } = memoryOf(list.deps)
  const content = order.by === 'latest-change' ? list.deps.store.versions.content() : 0
  const key = digest([keyAsOf(list, base), content, order, isBackwards])
  let { after, offset } = range
  for (let passed = far; isPlain && offset >= far; passed += far) {
    const mark = marks.get(`${key} ${passed}`) ?? (await placeAt(list.db, list, { ...range, after }, far - 1))
    if (!mark) break
    marks.set(`${key} ${passed}`, mark)
    after = mark
    offset -= far
  }
  return { ...range, after, offset }
}

/** What is asked for. */
type ListRequest = {
  readonly filter: WorkspaceFilter
  readonly order: ListOrder
  readonly page: PageRequest
}

/** A call for a list: who makes it, and over which connection. */
type ListCall = Pick<Call, 'caller'> & {
  readonly deps: ListDeps
  readonly request: Pick<Call['request'], 'remoteAddress' | 'remotePort'>
}

/** A page, how many there are in all, and how many pages there are at least. */
type ListedPage = { readonly workspaces: Workspace[]; readonly total: number; readonly pages: number }

/**
 * One page of the workspaces of an organization that the caller can see. The page after the one that was sent last begins
 * where that ended, not at a number of rows, which others may have shifted. So what nobody touched is neither sent twice
 * nor left out.
 */
export async function listPage(call: ListCall, grants: OrganizationGrants, request: ListRequest): Promise<ListedPage> {
  const { filter, order, page } = request
  const { number, size } = page
  const scope = scopeOf(grants)
  const list = await listOf(call.deps, scope, filter)
  const total = await totalOf(list, list.conditions)
  const { ends } = memoryOf(call.deps)
  const key = digest([walkerOf(call), scope.organizationId, filter, order, size])
  const end = ends.get(key)
  const after = end?.page === number - 1 ? end.place : undefined
  const { offset } = rangeOf(page)
  if (total === 0 || (!after && offset >= total)) return { workspaces: [], total, pages: 1 }
  const range = after ? { order, after, offset: 0, limit: size + 1 } : { order, ...nearerEnd(offset, size, total) }
  const rows = await rowsIn(list, range, total)
  const workspaces = rows.slice(0, size)
  const last = workspaces[size - 1]
  if (last) ends.set(key, { page: number, place: placeOf(last) })
  else ends.delete(key)
  return { workspaces, total, pages: rows.length > size ? number + 1 : 1 }
}

/** A page, by name, of the workspaces that these grants show besides one, in a project if that is named. */
export async function listOthers(
  deps: ListDeps,
  grants: OrganizationGrants,
  { workspace, projectId, page }: { workspace: Workspace; projectId?: string; page: PageRequest },
): Promise<Pick<ListedPage, 'workspaces' | 'total'>> {
  const whole = await listOf(deps, scopeOf(grants), { ...everyWorkspace, projectId })
  const conditions = { all: whole.conditions.all, none: [withName(workspace.organizationId, workspace.name)] }
  const list = { ...whole, conditions }
  const total = await totalOf(list, conditions)
  const { offset, limit } = rangeOf(page)
  if (offset >= total) return { workspaces: [], total }
  const range = { order: { by: 'name', descending: false }, ...nearerEnd(offset, limit, total) } as const
  return { workspaces: await rowsIn(list, range, total), total }
}

async function rowsIn(list: List, range: ListRange, total: number): Promise<Workspace[]> {
  const { all, none } = list.conditions
  const isFirst = !range.after && !range.isBackwards && range.offset === 0 && range.order.by === 'created'
  if (isFirst && all.length + none.length === 0) return await listFirst(list.deps.db, { ...list, limit: range.limit })
  const start = await startOf(list, range, total)
  return await listWorkspaces(list.db, list, await fromMark(list, range), start)
}

function nearerEnd(offset: number, size: number, total: number): Pick<ListRange, 'offset' | 'limit' | 'isBackwards'> {
  const limit = Math.min(size, total - offset)
  const rest = total - offset - limit
  return offset > far && rest < offset ? { offset: rest, limit, isBackwards: true } : { offset, limit: size }
}

const placeOf = ({ name, latestChangeAt, createdAt, id }: Workspace): RowPlace => ({
  name,
  latest_change_at: latestChangeAt,
  created_at: createdAt,
  id,
})

/**
 * Identifies the caller of a list. Beside other nodes, clients that share a token are told apart by their connections,
 * since pages that the others sent are not known here.
 */
function walkerOf({ deps, caller, request: { remoteAddress, remotePort } }: ListCall): readonly unknown[] {
  const { id } = actorOf(caller)
  return isRemote(deps.db) ? [id, remoteAddress, remotePort] : [id]
}

/** Of the workspaces that a filter finds for these grants, so many of those with a name after this one, by name. */
export async function listAfterName(
  deps: ListDeps,
  grants: OrganizationGrants,
  filter: WorkspaceFilter,
  { name, limit }: { readonly name: string; readonly limit: number },
): Promise<Workspace[]> {
  const list = await listOf(deps, scopeOf(grants), filter)
  const range = { order: { by: 'name', descending: false }, after: { name }, offset: 0, limit } as const
  return await listWhole(list.db, list, range, await startOf(list, range, await totalOf(list, list.conditions)))
}

/** How many workspaces with a name after this one the filter finds. */
export async function countAfterName(
  deps: ListDeps,
  grants: OrganizationGrants,
  filter: WorkspaceFilter,
  name: string,
): Promise<number> {
  const list = await listOf(deps, scopeOf(grants), filter)
  const { all, none } = list.conditions
  return await totalOf(list, { all: [...all, namedAfter(list.organizationId, name)], none })
}

/** Finds the workspaces that the caller may see by a part of their name. */
export const searchWorkspaces: Searcher = async (call, { grants, text, limit }) => {
  const filter = { ...everyWorkspace, nameContains: text.toLowerCase() }
  const order = { by: 'name', descending: false } as const
  const { workspaces } = await listPage(call, grants, { filter, order, page: { number: 1, size: limit } })
  return workspaces.map(({ id, name }) => ({ type: 'workspaces', id, name }))
}
