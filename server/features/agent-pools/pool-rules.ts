import { canOnProject, canSeeWorkspace, type OrganizationGrants } from '../../access/permissions/index.ts'
import type { Instant } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'

/** A pool of executors. */
export type AgentPool = {
  readonly id: Id<'apool'>
  readonly organizationId: string
  readonly name: string
  /** True if every workspace may use it, false if only those allowed; but never those excluded. */
  readonly organizationScoped: boolean
  readonly createdAt: Instant
}

/** Which workspaces and projects a pool is for, by id. */
export type PoolScopes = {
  readonly allowedWorkspaces: readonly string[]
  readonly allowedProjects: readonly string[]
  readonly excludedWorkspaces: readonly string[]
}

/** The names of the three lists. */
export const scopeNames = ['allowedWorkspaces', 'allowedProjects', 'excludedWorkspaces'] as const

/** A pool that is for nobody in particular. */
export const noScopes: PoolScopes = { allowedWorkspaces: [], allowedProjects: [], excludedWorkspaces: [] }

/** A workspace as lists of a pool name it. */
export type PoolWorkspace = { readonly id: string; readonly projectId: string; readonly name: string }

/** A pool with all that its document links to. */
export type PoolDetails = AgentPool & {
  readonly allowedWorkspaces: readonly PoolWorkspace[]
  readonly allowedProjects: readonly { readonly id: string; readonly name: string }[]
  readonly excludedWorkspaces: readonly PoolWorkspace[]
  /** The workspaces that name this pool themselves. */
  readonly workspaces: readonly PoolWorkspace[]
}

/** The pool without what the caller may not see. */
export function visiblePool(grants: OrganizationGrants, pool: PoolDetails): PoolDetails {
  const seen = (each: PoolWorkspace) => canSeeWorkspace(grants, each)
  return {
    ...pool,
    allowedWorkspaces: pool.allowedWorkspaces.filter(seen),
    allowedProjects: pool.allowedProjects.filter(({ id }) => canOnProject(grants, 'can-read', id)),
    excludedWorkspaces: pool.excludedWorkspaces.filter(seen),
    workspaces: pool.workspaces.filter(seen),
  }
}

/** Which pools a list asks for. */
export type PoolFilter = {
  readonly text?: string | undefined
  readonly workspaceName?: string | undefined
  readonly projectName?: string | undefined
}

/** True if the pool is asked for: by part of its name, and usable by the workspace or in the project of a name. */
export function isWanted(pool: PoolDetails, { text, workspaceName, projectName }: PoolFilter): boolean {
  if (text !== undefined && !pool.name.toLowerCase().includes(text.toLowerCase())) return false
  const allows = (named: readonly { readonly name: string }[], name: string | undefined) =>
    name === undefined || pool.organizationScoped || named.some((each) => each.name === name)
  const excluded = pool.excludedWorkspaces.some(({ name }) => name === workspaceName)
  return !excluded && allows(pool.allowedWorkspaces, workspaceName) && allows(pool.allowedProjects, projectName)
}

/** What is wrong with the name of a pool. */
export function poolNameProblem(name: string): string | undefined {
  if (name.trim() === '') return "can't be blank"
  return name !== name.trim() || /\p{Cc}/u.test(name)
    ? 'must not have control characters or spaces around it'
    : undefined
}

/** By what the list of pools can be sorted. */
export const poolOrders = ['name', 'created-at'] as const

/** An order of the list of pools. */
export type PoolSort = { readonly key: (typeof poolOrders)[number]; readonly descending: boolean }
