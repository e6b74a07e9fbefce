import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Awaitable } from '../../kernel/awaitable.ts'
import type { ActorPrincipal, RunAccess } from '../../kernel/principal.ts'
import { type Deps, perApp } from '../../kit/deps.ts'
import type { Queryable } from '../../storage/open.ts'
import { VersionedCache } from '../../storage/versions.ts'
import {
  addWorkspaceAccess,
  type OrganizationGrants,
  organizationTokenGrants,
  runGrants,
  uniteGrants,
} from './grants.ts'
import {
  type GrantHolder,
  loadOneOrganization,
  loadOrganizationFacts,
  loadProjectAccess,
  loadSharingWorkspaces,
  loadTeams,
  loadWorkspaceAccess,
} from './grants-store.ts'
import type { WorkspaceRightSet } from './workspace-rights.ts'

/** What one caller may do, by organization. Organizations that are not here do not exist for the caller. */
type Grants = {
  readonly byId: ReadonlyMap<string, OrganizationGrants>
  /** By name in lower case: names of organizations are compared without case. */
  readonly byName: ReadonlyMap<string, OrganizationGrants>
}

const cacheOf = perApp((deps) => new VersionedCache<string, Grants>(deps.store.versions, 'permissions', { max: 5_000 }))

/**
 * What the caller may do everywhere: four queries, however many teams, projects and workspaces, and none while nothing
 * in the area `permissions` has changed. Whatever changes organizations, memberships, teams or access bumps that area.
 */
export function grantsOf(deps: GrantDeps & Pick<Deps, 'store'>, actor: ActorPrincipal): Awaitable<Grants> {
  // What a run may read depends on workspaces, which change more often than permissions do; it asks a few times.
  if (actor.run) return loadRunGrants(deps.db, actor.organizationId, actor.run)
  const cache = cacheOf(deps)
  const key = `${actor.kind}:${actor.id}`
  return cache.getOrLoad(key, () => loadGrants(deps, actor))
}

async function loadRunGrants(db: Queryable, organizationId: string, run: RunAccess): Promise<Grants> {
  const organization = await loadOneOrganization(db, organizationId)
  if (!organization) return indexGrants([])
  return indexGrants([runGrants(organization, run, await loadSharingWorkspaces(db, organizationId, run.workspaceId))])
}

type GrantDeps = Pick<Deps, 'db' | 'reads'>
type GrantReads = { readonly db: Queryable; readonly reads: Queryable }

async function loadGrants({ db, reads }: GrantReads, actor: Pick<ActorPrincipal, 'kind' | 'id'>): Promise<Grants> {
  if (actor.kind === 'organization') {
    const organization = await loadOneOrganization(db, actor.id)
    return indexGrants(organization ? [organizationTokenGrants(organization)] : [])
  }
  const holder: GrantHolder = actor.kind === 'user' ? { userId: actor.id } : { teamId: actor.id }
  const organizations = await loadOrganizationFacts(db, holder)
  const teams = groupByOrganization(await loadTeams(db, holder))
  const onWorkspaces = await loadOnWorkspaces({ db, reads }, holder)
  const onProjects = groupByOrganization(await loadProjectAccess(db, holder))
  return indexGrants(
    organizations.map((organization) =>
      uniteGrants(
        organization,
        teams.get(organization.id) ?? [],
        onWorkspaces.get(organization.id) ?? new Map(),
        onProjects.get(organization.id) ?? [],
      ),
    ),
  )
}

type OnWorkspaces = Map<string, WorkspaceRightSet>

/** So much access to single workspaces is read where it holds up nobody. */
const manyAccesses = 1_000

/** What the holder may do on single workspaces, by organization. Others get a turn while very many are united. */
async function loadOnWorkspaces({ db, reads }: GrantReads, holder: GrantHolder): Promise<Map<string, OnWorkspaces>> {
  const some = await loadWorkspaceAccess(db, holder, manyAccesses)
  const all = some.length < manyAccesses ? some : await loadWorkspaceAccess(reads, holder, Number.MAX_SAFE_INTEGER)
  const united = new Map<string, OnWorkspaces>()
  for (let from = 0; from < all.length; from += manyAccesses) {
    if (all.length > manyAccesses) await nextTurn()
    for (const [organizationId, facts] of groupByOrganization(all.slice(from, from + manyAccesses))) {
      united.set(organizationId, addWorkspaceAccess(united.get(organizationId) ?? new Map(), facts))
    }
  }
  return united
}

function groupByOrganization<T extends { readonly organizationId: string }>(
  facts: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(facts, (fact) => fact.organizationId)
}

const indexGrants = (all: readonly OrganizationGrants[]): Grants => ({
  byId: new Map(all.map((grants) => [grants.organizationId, grants])),
  byName: new Map(all.map((grants) => [grants.organizationName.toLowerCase(), grants])),
})

/** The same as this handle reads it now, for decisions within a transaction, which waits for nobody else's look-up. */
export const readGrants = (db: Queryable, actor: Pick<ActorPrincipal, 'kind' | 'id'>): Promise<Grants> =>
  loadGrants({ db, reads: db }, actor)
