import { actorOf, type OrganizationGrants, visibleWorkspaces } from '../../../access/permissions/index.ts'
import type { Principal } from '../../../kernel/principal.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import type { PageRequest } from '../../../kit/jsonapi/index.ts'
import { VersionedCache } from '../../../storage/versions.ts'
import type { Workspace } from '../workspace-rules.ts'
import { isPlain, type ListOrder, type ListScope, type WorkspaceFilter } from './list-rules.ts'
import { countAllWorkspaces, countListed, type ListWish, listWorkspaces } from './list-store.ts'
import { PageWalks } from './page-walks.ts'
import { loadProjectBindings, type ProjectBinding } from './tagged-store.ts'

type ListDeps = Pick<Deps, 'db' | 'store' | 'clock'>

/** What is asked for. */
export type ListRequest = {
  readonly filter: WorkspaceFilter
  readonly order: ListOrder
  readonly page: PageRequest
}

/** A page, how many there are in all, and how many pages there are at least. */
export type ListedPage = { readonly workspaces: Workspace[]; readonly total: number; readonly pages: number }

const walksOf = perApp(() => new PageWalks())
const totalsOf = perApp((deps) => new VersionedCache<string, number>(deps.store.versions, 'workspaces', { max: 5_000 }))
const bindingsOf = perApp(
  (deps) => new VersionedCache<string, readonly ProjectBinding[]>(deps.store.versions, 'workspaces', { max: 1_000 }),
)

/** One page of the workspaces of an organization that the caller can see. */
export async function listPage(
  call: { readonly deps: ListDeps; readonly caller: Principal },
  grants: OrganizationGrants,
  request: ListRequest,
): Promise<ListedPage> {
  const { deps } = call
  const { filter, order, page } = request
  const { organizationId } = grants
  const scope = { organizationId, visible: visibleWorkspaces(grants), teamIds: [...grants.teamIds] }
  const wish = await wishOf(deps, scope, filter)
  const now = deps.clock.now()
  const version = deps.store.versions.of('workspaces')
  const walk = `${actorOf(call.caller).id} ${organizationId} ${JSON.stringify([filter, order, page.size])}`
  const walks = walksOf(deps)
  const start = walks.startOf(walk, page, order.by === 'latest-change' ? undefined : version, now)
  const found = await listWorkspaces(deps.db, { ...wish, order, start, limit: page.size + 1 })
  const workspaces = found.slice(0, page.size)
  walks.remember(walk, page, workspaces, { version, at: now })
  const total = await totalOf(deps, wish)
  return { workspaces, total, pages: found.length > page.size ? page.number + 1 : 1 }
}

async function wishOf(deps: ListDeps, scope: ListScope, filter: WorkspaceFilter): Promise<ListWish> {
  const { organizationId } = scope
  const asksTags = filter.tags.length + filter.excludeTags.length + filter.tagged.length > 0
  const load = () => loadProjectBindings(deps.db, organizationId)
  const projectBindings = asksTags ? await bindingsOf(deps).getOrLoad(organizationId, load) : []
  return { scope, filter, tagged: { db: deps.db, organizationId, projectBindings } }
}

/** Totals are counted once for each change of the organization's workspaces; plain ones are read from counters. */
async function totalOf(deps: ListDeps, wish: ListWish): Promise<number> {
  const { scope, filter } = wish
  const { organizationId, visible } = scope
  const totals = totalsOf(deps)
  const key = `${organizationId} ${visible.kind === 'all' ? '' : JSON.stringify(visible)} ${JSON.stringify(filter)}`
  const known = totals.get(key)
  if (known !== undefined) return known
  const inProject = visible.kind === 'all' && isPlain({ ...filter, projectId: undefined })
  return await totals.getOrLoad(key, () =>
    inProject ? countAllWorkspaces(deps.db, organizationId, filter.projectId) : countListed(deps.db, wish),
  )
}
