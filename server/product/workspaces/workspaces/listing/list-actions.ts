import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import {
  actorOf,
  type OrganizationGrants,
  type VisibleWorkspaces,
  visibleWorkspaces,
} from '../../../../access/permissions/index.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'
import type { Call } from '../../../../kit/endpoint.ts'
import type { PageRequest } from '../../../../kit/jsonapi/index.ts'
import { isRemote } from '../../../../storage/open.ts'
import { VersionedCache } from '../../../../storage/versions.ts'
import type { KeyValue } from '../tagging/tag-binding.ts'
import type { Workspace } from '../workspace.ts'
import {
  countAllWorkspaces,
  countListed,
  type ListConditions,
  listByIds,
  listIds,
  listWorkspaces,
} from './list-store.ts'
import { loadInheritable } from './tagged-store.ts'
import {
  changesSilently,
  isUnfiltered,
  type ListOrder,
  type ListScope,
  type PageStart,
  type RowPlace,
  type WorkspaceFilter,
} from './workspace-list.ts'

/** What a caller sees of an organization, and a short text that differs for everything else. */
type KeyedScope = ListScope & { readonly key: string }

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
  const { projectIds, workspaceIds } = visible
  return digest(JSON.stringify([projectIds.toSorted(), workspaceIds.toSorted()]))
}

/** A filter longer than this is replaced by its digest. */
const maxFilterLength = 500

/** The key of a list: two lists have the same one if they show the same workspaces. */
export function listKey(scope: KeyedScope, filter: WorkspaceFilter): string {
  const text = JSON.stringify(filter)
  return `${scope.key} ${text.length > maxFilterLength ? digest(text) : text}`
}

const digest = (text: string): string => hash('sha256', text, 'base64url')

/** What is remembered of a page that was sent. */
type SentPage = { readonly first: RowPlace; readonly last: RowPlace; readonly version: number; readonly at: Instant }

/** The pages of a walk that were sent in full, and the number of the last one. */
type Walk = { readonly pages: Map<number, SentPage>; last: number }

/**
 * How long a caller may take from one page to the next, in milliseconds. Other nodes may have sent earlier pages again
 * without this one knowing it: if there may be others, what is remembered counts only for as long as programs need.
 */
export const walkTimeouts = { alone: 120_000, besideOthers: 10_000 } as const

/** Pages of one walk that are remembered; a walk goes forward, so the newest matter. */
const maxPages = 256

/**
 * Callers walk through a list by page numbers while others create and delete. The page after one that was just sent
 * therefore begins where that one ended, not at a number of rows that may have shifted: what nobody touched is neither
 * sent twice nor left out. It also makes deep pages as cheap as the first.
 *
 * Across a change this works only from one page to the next: a caller that asks in another order has started over.
 */
export class PageWalks {
  readonly #walks = new LRUCache<string, Walk>({ max: 2_000 })
  readonly #patience: number

  constructor(patience: number) {
    this.#patience = patience
  }

  /** Where a page begins. `version` changes when rows are added, removed or moved; undefined if that is not known. */
  startOf(walk: string, page: PageRequest, version: number | undefined, now: Instant): PageStart {
    const sent = this.#walks.get(walk)
    const offset = Math.min((page.number - 1) * page.size, Number.MAX_SAFE_INTEGER)
    if (!sent || page.number === 1) return { offset, shifted: false }
    const { pages, last } = sent
    const same = pages.get(page.number)
    if (same && same.version === version) return { from: same.first, offset: 0, shifted: false }
    const before = pages.get(page.number - 1)
    if (before && last === page.number - 1 && now - before.at < this.#patience) {
      return { after: before.last, offset: 0, shifted: before.version !== version }
    }
    const [number, nearest] = nearestBelow(pages, page.number, version)
    if (!nearest) return { offset, shifted: false }
    return { after: nearest.last, offset: (page.number - 1 - number) * page.size, shifted: false }
  }

  /** Remembers a page that was sent; one that is not full is the last one. */
  remember(walk: string, page: PageRequest, rows: readonly RowPlace[], facts: { version: number; at: Instant }): void {
    const sent = this.#walks.get(walk) ?? { pages: new Map<number, SentPage>(), last: 0 }
    this.#walks.set(walk, sent)
    sent.last = page.number
    const { pages } = sent
    pages.delete(page.number)
    const [first, last] = [rows[0], rows.at(-1)]
    if (!first || !last || rows.length < page.size) return
    pages.set(page.number, { first: placeOf(first), last: placeOf(last), ...facts })
    const [oldest] = pages.keys()
    if (pages.size > maxPages && oldest !== undefined) pages.delete(oldest)
  }
}

/**
 * Only the place of a row: whole workspaces, and their documents with them, would stay in memory as long as the walk.
 */
const placeOf = ({ name, latestChangeAt, createdAt, id }: RowPlace): RowPlace => ({
  name,
  latestChangeAt,
  createdAt,
  id,
})

function nearestBelow(
  sent: ReadonlyMap<number, SentPage>,
  wanted: number,
  version: number | undefined,
): readonly [number, SentPage | undefined] {
  let nearest = 0
  for (const [number, page] of sent) {
    if (page.version === version && number < wanted && number > nearest) nearest = number
  }
  return [nearest, sent.get(nearest)]
}

type ListDeps = Pick<Deps, 'db' | 'store' | 'clock'>

/** A call for a list: who makes it, and over which connection. */
type ListCall = Pick<Call, 'caller'> & {
  readonly deps: ListDeps
  readonly request: Pick<Call['request'], 'remoteAddress' | 'remotePort'>
}

/** What is asked for. */
type ListRequest = {
  readonly filter: WorkspaceFilter
  readonly order: ListOrder
  readonly page: PageRequest
}

/** A page, how many there are in all, and how many pages there are at least. */
type ListedPage = { readonly workspaces: Workspace[]; readonly total: number; readonly pages: number }

/** Lists up to this length are kept as ids, so that their pages and totals cost one look-up. */
const maxKeptIds = 5_000

type KeptList = { readonly ids: readonly string[] | undefined }

/**
 * What is remembered about lists; everything but the walks is dropped with the next change of a workspace that lists
 * could show.
 */
const listMemoryOf = perApp((deps: Pick<Deps, 'db' | 'store'>) => ({
  walks: new PageWalks(sendsAlone(deps) ? walkTimeouts.alone : walkTimeouts.besideOthers),
  totals: new VersionedCache<string, number>(deps.store.versions, 'workspaces', { max: 5_000 }),
  kept: new VersionedCache<string, KeptList>(deps.store.versions, 'workspaces', { max: 200 }),
  inheritable: new VersionedCache<string, readonly KeyValue[]>(deps.store.versions, 'workspaces', { max: 1_000 }),
}))

/** One page of the workspaces of an organization that the caller can see. */
export async function listPage(call: ListCall, grants: OrganizationGrants, request: ListRequest): Promise<ListedPage> {
  const { deps } = call
  const { filter, order, page } = request
  const conditions = { ...(await conditionsOf(deps, scopeOf(grants), filter)), order }
  const { walks } = listMemoryOf(deps)
  const { now } = conditions
  const version = deps.store.versions.of('workspaces')
  // The rights are part of the key: a caller who sees more or less than before walks through another list.
  const walk = `${walkerOf(call)} ${page.size} ${JSON.stringify(order)} ${conditions.key}`
  const isSilent = order.by === 'latest-change' || changesSilently(filter)
  const start = walks.startOf(walk, page, isSilent ? undefined : version, now)
  const kept = start.shifted || isCounted(conditions) ? undefined : await idsOf(deps, conditions)
  const total = kept?.length ?? (await totalOf(deps, conditions))
  const isBeyond = !start.from && !start.after && start.offset >= total
  if (isBeyond) return { workspaces: [], total, pages: 1 }
  const begin = kept ? placeIn(kept, start) : undefined
  const { workspaces, more } =
    kept && begin !== undefined ? await pageOfIds(deps, kept, page, begin) : await pageOf(deps, conditions, page, start)
  walks.remember(walk, page, workspaces, { version, at: now })
  return { workspaces, total, pages: more ? page.number + 1 : 1 }
}

/** False if other nodes on the same PostgreSQL may send pages, too. */
const sendsAlone = ({ db }: Pick<Deps, 'db'>): boolean => !isRemote(db)

/**
 * Identifies the caller that walks through a list. Beside other nodes, clients that share a token are distinguished by
 * their connections, since pages that the others sent are not known here.
 */
function walkerOf({ deps, caller, request: { remoteAddress, remotePort } }: ListCall): string {
  const { id } = actorOf(caller)
  return sendsAlone(deps) ? id : `${id} ${remoteAddress} ${remotePort}`
}

type KeyedConditions = ListConditions & { readonly scope: KeyedScope; readonly key: string }
type OrderedConditions = KeyedConditions & { readonly order: ListOrder }
type FoundPage = { readonly workspaces: Workspace[]; readonly more: boolean }

async function pageOf(
  deps: ListDeps,
  conditions: OrderedConditions,
  page: PageRequest,
  start: PageStart,
): Promise<FoundPage> {
  const found = await listWorkspaces(deps.db, { ...conditions, start, limit: page.size + 1 })
  return { workspaces: found.slice(0, page.size), more: found.length > page.size }
}

/** Where a page begins in a list of ids: after a change, a walk counts from its last row, not from the first of all. */
function placeIn(ids: readonly string[], { from, after, offset }: PageStart): number | undefined {
  const row = from ?? after
  if (!row) return Math.min(offset, ids.length)
  const at = ids.indexOf(row.id)
  return at < 0 ? undefined : at + (from ? 0 : 1) + offset
}

async function pageOfIds(
  deps: ListDeps,
  ids: readonly string[],
  { size }: PageRequest,
  begin: number,
): Promise<FoundPage> {
  const workspaces = await listByIds(deps.db, ids.slice(begin, begin + size))
  return { workspaces, more: begin + size < ids.length }
}

/** Totals without a filter, or with a project only, are read from counters for callers who see everything. */
const isCounted = ({ scope, filter }: ListConditions): boolean =>
  scope.visible.kind === 'all' && isUnfiltered({ ...filter, projectId: undefined })

/** What a filter means for those who can see this much, now. */
export async function conditionsOf(
  deps: ListDeps,
  scope: KeyedScope,
  filter: WorkspaceFilter,
): Promise<KeyedConditions> {
  const now = deps.clock.now()
  const { organizationId } = scope
  const asksTags = filter.tags.length + filter.excludeTags.length + filter.tagged.length > 0
  const load = () => loadInheritable(deps.db, organizationId)
  const inheritable = asksTags ? await listMemoryOf(deps).inheritable.getOrLoad(organizationId, load) : []
  return { scope, filter, tagged: { organizationId, inheritable }, key: listKey(scope, filter), now }
}

/** The ids of a list that is not too long, from memory where nothing can have changed. */
async function idsOf(deps: ListDeps, conditions: OrderedConditions): Promise<readonly string[] | undefined> {
  if (!changesSilently(conditions.filter)) return await keptIds(deps, conditions)
  // Few workspaces are locked, and no index finds them: their page and their total are read at once.
  return conditions.filter.locked ? await listIds(deps.db, conditions, maxKeptIds) : undefined
}

/** Not for the order by time of change, which changes without a new version. */
async function keptIds(deps: ListDeps, conditions: OrderedConditions): Promise<readonly string[] | undefined> {
  if (conditions.order.by === 'latest-change') return undefined
  const load = async (): Promise<KeptList> => ({ ids: await listIds(deps.db, conditions, maxKeptIds) })
  return (await listMemoryOf(deps).kept.getOrLoad(`${JSON.stringify(conditions.order)}${conditions.key}`, load)).ids
}

/** Totals are counted once after each change of the workspaces, unless they change without a new version. */
async function totalOf(deps: ListDeps, conditions: KeyedConditions): Promise<number> {
  const { scope, filter } = conditions
  if (filter.locked === false) return await freeTotalOf(deps, conditions)
  if (changesSilently(filter)) return await countSilent(deps, conditions)
  const { organizationId } = scope
  const count = () =>
    isCounted(conditions)
      ? countAllWorkspaces(deps.db, organizationId, filter.projectId)
      : countListed(deps.db, conditions)
  return await listMemoryOf(deps).totals.getOrLoad(conditions.key, count)
}

/** All but those that are locked, which are few. */
async function freeTotalOf(deps: ListDeps, conditions: KeyedConditions): Promise<number> {
  const withLock = (locked: true | undefined): KeyedConditions => {
    const filter = { ...conditions.filter, locked }
    return { ...conditions, filter, key: listKey(conditions.scope, filter) }
  }
  const all = await totalOf(deps, withLock(undefined))
  return Math.max(0, all - (await countSilent(deps, withLock(true))))
}

/** Locked workspaces are few: reading their ids in order is faster than counting, for which SQLite takes any index. */
async function countSilent(deps: ListDeps, conditions: KeyedConditions): Promise<number> {
  const order: ListOrder = { by: 'created', descending: false }
  const ids = conditions.filter.locked ? await listIds(deps.db, { ...conditions, order }, maxKeptIds) : undefined
  return ids?.length ?? (await countListed(deps.db, conditions))
}
