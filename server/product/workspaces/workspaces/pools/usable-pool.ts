import { canOnProject, canSeeWorkspace, type OrganizationGrants } from '../../../../access/permissions/grants.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import type { Id } from '../../../../kernel/ids.ts'

/** A pool of executors. */
export type AgentPool = {
  readonly id: Id<'apool'>
  readonly organizationId: string
  readonly name: string
  /** True if every workspace may use it, false if only those allowed; those excluded never may. */
  readonly organizationScoped: boolean
  readonly createdAt: Instant
}

/** A workspace in the lists of a pool. */
export type PoolWorkspace = { readonly id: string; readonly projectId: string; readonly name: string }

/** A pool with everything that its document links to. */
export type PoolDetails = AgentPool & {
  readonly allowedWorkspaces: readonly PoolWorkspace[]
  readonly allowedProjects: readonly { readonly id: string; readonly name: string }[]
  readonly excludedWorkspaces: readonly PoolWorkspace[]
  /** The workspaces that name this pool themselves. */
  readonly workspaces: readonly PoolWorkspace[]
  /** How many runners it has that did not say goodbye. */
  readonly agentCount: number
}

/** A pool without what the caller may not see. */
export type VisiblePool = PoolDetails & { readonly seenBy: OrganizationGrants }

/** The pool as the caller may see it. */
export function visiblePool(grants: OrganizationGrants, pool: PoolDetails): VisiblePool {
  const seen = (each: PoolWorkspace) => canSeeWorkspace(grants, each)
  return {
    ...pool,
    seenBy: grants,
    allowedWorkspaces: pool.allowedWorkspaces.filter(seen),
    allowedProjects: pool.allowedProjects.filter(({ id }) => canOnProject(grants, 'can-read', id)),
    excludedWorkspaces: pool.excludedWorkspaces.filter(seen),
    workspaces: pool.workspaces.filter(seen),
  }
}
