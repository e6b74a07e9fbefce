import type { PoolDetails, PoolWorkspace } from '../workspaces/pools/usable-pool.ts'

/** Which workspaces and projects a pool is for, by id. */
export type PoolScopes = {
  readonly allowedWorkspaces: readonly string[]
  readonly allowedProjects: readonly string[]
  readonly excludedWorkspaces: readonly string[]
}

/** The names of the three lists. */
export const scopeNames = ['allowedWorkspaces', 'allowedProjects', 'excludedWorkspaces'] as const

/** A pool without any lists. */
export const noScopes: PoolScopes = { allowedWorkspaces: [], allowedProjects: [], excludedWorkspaces: [] }

/** True if this workspace may use the pool; an unknown one may use what every workspace may. */
export function isUsableBy(pool: PoolDetails, workspace: PoolWorkspace | undefined): boolean {
  if (!workspace) return pool.organizationScoped
  const named = (list: readonly { readonly id: string }[], id: string) => list.some((each) => each.id === id)
  if (named(pool.excludedWorkspaces, workspace.id)) return false
  const isAllowed = named(pool.allowedWorkspaces, workspace.id) || named(pool.allowedProjects, workspace.projectId)
  return pool.organizationScoped || isAllowed
}

/** Which pools a list asks for. */
type PoolFilter = { readonly text?: string | undefined; readonly projectName?: string | undefined }

/** True if the pool matches: by part of its name, and usable in the project of a name. */
export function matchesFilter(pool: PoolDetails, { text, projectName }: PoolFilter): boolean {
  if (text !== undefined && !pool.name.toLowerCase().includes(text.toLowerCase())) return false
  return (
    projectName === undefined ||
    pool.organizationScoped ||
    pool.allowedProjects.some(({ name }) => name === projectName)
  )
}

/** What is wrong with the name of a pool. */
export function poolNameProblem(name: string): string | undefined {
  if (name.trim() === '') return "can't be blank"
  return name !== name.trim() || /\p{Cc}/u.test(name)
    ? 'must not have control characters or spaces around it'
    : undefined
}

/** The fields by which the list of pools can be sorted. */
export const poolOrders = ['name', 'created-at'] as const

/** An order of the list of pools. */
export type PoolSort = { readonly key: (typeof poolOrders)[number]; readonly descending: boolean }
