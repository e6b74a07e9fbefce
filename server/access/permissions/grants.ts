import type { RunAccess } from '../../kernel/principal.ts'
import {
  type OrganizationAccess,
  type OrganizationRight,
  type OrganizationWideRights,
  organizationRights,
  organizationTokenRights,
  organizationWideRights,
  ownerRights,
} from './organization-rights.ts'
import {
  customProjectRights,
  type ProjectRight,
  type ProjectRightSet,
  projectLevelsOnProject,
  projectRights,
} from './project-rights.ts'
import {
  type CustomAccess,
  customRights,
  organizationTokenOnWorkspaces,
  projectLevels,
  runOnSharing,
  runReads,
  runWrites,
  type WorkspaceRight,
  type WorkspaceRightSet,
  workspaceLevels,
  workspaceRights,
} from './workspace-rights.ts'

/** The facts of an organization that decide about permissions. */
export type OrganizationFacts = {
  readonly id: string
  readonly name: string
  readonly allowForceDelete: boolean
  readonly userTokensEnabled: boolean
}

/** A team the caller acts for. */
export type TeamFacts = {
  readonly id: string
  readonly owners: boolean
  readonly access: readonly OrganizationAccess[]
}

/** A team's access to one workspace. */
export type WorkspaceAccessFacts = CustomAccess & { readonly workspaceId: string; readonly access: string }

/** A team's access to one project. */
export type ProjectAccessFacts = CustomAccess & {
  readonly projectId: string
  readonly access: string
  readonly settings: string
  readonly teams: string
}

type ProjectGrants = { readonly project: ProjectRightSet; readonly workspaces: WorkspaceRightSet }

/**
 * All that one caller may do in one organization, united over teams and scopes beforehand: a question about a workspace
 * then costs two look-ups, however many teams the caller is in.
 */
export type OrganizationGrants = {
  readonly organizationId: string
  readonly organizationName: string
  readonly owner: boolean
  /** True for the token of the organization itself, which sets up teams with rights it does not have. */
  readonly organizationToken: boolean
  readonly teamIds: ReadonlySet<string>
  readonly organizationWide: OrganizationWideRights
  readonly projects: ReadonlyMap<string, ProjectGrants>
  readonly workspaces: ReadonlyMap<string, WorkspaceRightSet>
  readonly allowForceDelete: boolean
  readonly userTokensEnabled: boolean
}

/** What is asked about a workspace. */
type WorkspaceFacts = { readonly id: string; readonly projectId: string }

/** Adds access to single workspaces to what was united before. */
export function addWorkspaceAccess(
  united: Map<string, WorkspaceRightSet>,
  access: readonly WorkspaceAccessFacts[],
): Map<string, WorkspaceRightSet> {
  for (const each of access) {
    const before = united.get(each.workspaceId) ?? workspaceRights.none
    united.set(each.workspaceId, workspaceRights.union(before, rightsOfAccess(workspaceLevels, each)))
  }
  return united
}

/** Unites what the caller's teams may do. */
export function uniteGrants(
  organization: OrganizationFacts,
  teams: readonly TeamFacts[],
  onWorkspaces: ReadonlyMap<string, WorkspaceRightSet>,
  onProjects: readonly ProjectAccessFacts[],
): OrganizationGrants {
  const owner = teams.some((team) => team.owners)
  return {
    ...commonGrants(organization),
    owner,
    organizationToken: false,
    teamIds: new Set(teams.map((team) => team.id)),
    organizationWide: owner ? ownerRights : organizationWideRights(teams.flatMap((team) => team.access)),
    projects: uniteProjects(onProjects),
    workspaces: onWorkspaces,
  }
}

/** What the token of the organization itself may do. */
export const organizationTokenGrants = (organization: OrganizationFacts): OrganizationGrants => ({
  ...commonGrants(organization),
  owner: false,
  organizationToken: true,
  teamIds: new Set(),
  organizationWide: {
    organization: organizationTokenRights,
    projects: projectRights.all,
    workspaces: organizationTokenOnWorkspaces,
  },
  projects: new Map(),
  workspaces: new Map(),
})

/** What a run may do: it reads its own workspace, and the state of those that share it; perhaps it writes its state. */
export const runGrants = (
  organization: OrganizationFacts,
  { workspaceId, mayWriteState }: RunAccess,
  sharing: readonly string[],
): OrganizationGrants => ({
  ...commonGrants(organization),
  owner: false,
  organizationToken: false,
  teamIds: new Set(),
  organizationWide: {
    organization: organizationRights.of('can-traverse'),
    projects: projectRights.none,
    workspaces: workspaceRights.none,
  },
  projects: new Map(),
  workspaces: new Map([
    ...sharing.map((id) => [id, runOnSharing] as const),
    [workspaceId, mayWriteState ? runWrites : runReads],
  ]),
})

const commonGrants = ({ id, name, allowForceDelete, userTokensEnabled }: OrganizationFacts) => ({
  organizationId: id,
  organizationName: name,
  allowForceDelete,
  userTokensEnabled,
})

function uniteProjects(access: readonly ProjectAccessFacts[]): ReadonlyMap<string, ProjectGrants> {
  const united = new Map<string, ProjectGrants>()
  for (const each of access) {
    const before = united.get(each.projectId)
    const level = (projectLevelsOnProject as Readonly<Record<string, ProjectRightSet>>)[each.access]
    const project = each.access === 'custom' ? customProjectRights(each) : (level ?? projectRights.none)
    united.set(each.projectId, {
      project: projectRights.union(before?.project ?? projectRights.none, project),
      workspaces: workspaceRights.union(
        before?.workspaces ?? workspaceRights.none,
        rightsOfAccess(projectLevels, each),
      ),
    })
  }
  return united
}

/** A level that is not known allows nothing. */
const rightsOfAccess = (
  levels: Readonly<Record<string, WorkspaceRightSet>>,
  each: CustomAccess & { readonly access: string },
): WorkspaceRightSet => (each.access === 'custom' ? customRights(each) : (levels[each.access] ?? workspaceRights.none))

/** Everything the caller may do with a workspace: the union over organization, project and workspace. */
export function rightsOnWorkspace(within: OrganizationGrants, workspace: WorkspaceFacts): WorkspaceRightSet {
  const united = workspaceRights.union(
    within.organizationWide.workspaces,
    within.projects.get(workspace.projectId)?.workspaces ?? workspaceRights.none,
    within.workspaces.get(workspace.id) ?? workspaceRights.none,
  )
  const extended = within.allowForceDelete && workspaceRights.has(united, 'can-update')
  return extended ? workspaceRights.union(united, workspaceRights.of('can-force-delete')) : united
}

/** Everything the caller may do with a project. */
export const rightsOnProject = (within: OrganizationGrants, projectId: string): ProjectRightSet =>
  projectRights.union(within.organizationWide.projects, within.projects.get(projectId)?.project ?? projectRights.none)

/** True if the caller may do this with the workspace. */
export const canOnWorkspace = (within: OrganizationGrants, right: WorkspaceRight, workspace: WorkspaceFacts): boolean =>
  workspaceRights.has(rightsOnWorkspace(within, workspace), right)

/** True if the workspace exists for the caller. */
export const canSeeWorkspace = (within: OrganizationGrants, workspace: WorkspaceFacts): boolean =>
  canOnWorkspace(within, 'can-read-run', workspace)

/** True if the caller may do this with the project. */
export const canOnProject = (within: OrganizationGrants, right: ProjectRight, projectId: string): boolean =>
  projectRights.has(rightsOnProject(within, projectId), right)

/** True if the caller may do this in the organization. */
export const canInOrganization = (within: OrganizationGrants, right: OrganizationRight): boolean =>
  organizationRights.has(within.organizationWide.organization, right)

/**
 * True if the caller may put somebody into a team, or grant a team this access: people hand out over the organization
 * only what they have themselves, and only owners make owners.
 */
export function canDelegate(within: OrganizationGrants, team: Pick<TeamFacts, 'owners' | 'access'>): boolean {
  if (within.owner || team.owners) return within.owner
  if (within.organizationToken) return true
  const wanted = organizationWideRights(team.access)
  return (
    organizationRights.includes(within.organizationWide.organization, wanted.organization) &&
    projectRights.includes(within.organizationWide.projects, wanted.projects) &&
    workspaceRights.includes(within.organizationWide.workspaces, wanted.workspaces)
  )
}

/** True if the caller may give a team this access to a project: people hand out only what they have there themselves. */
export function canDelegateOnProject(within: OrganizationGrants, given: ProjectAccessFacts): boolean {
  if (within.owner || within.organizationToken) return true
  const own = within.projects.get(given.projectId)
  const wanted = uniteProjects([given]).get(given.projectId)
  if (!wanted) return true
  return (
    projectRights.includes(rightsOnProject(within, given.projectId), wanted.project) &&
    workspaceRights.includes(
      workspaceRights.union(within.organizationWide.workspaces, own?.workspaces ?? workspaceRights.none),
      wanted.workspaces,
    )
  )
}

/** Which workspaces of an organization a caller can see, in a form a query can use. */
export type VisibleWorkspaces =
  | { readonly kind: 'all' }
  | { readonly kind: 'some'; readonly projectIds: readonly string[]; readonly workspaceIds: readonly string[] }

/** The workspaces a list may show: all, or those in these projects and these. */
export function visibleWorkspaces(within: OrganizationGrants): VisibleWorkspaces {
  const { has } = workspaceRights
  if (has(within.organizationWide.workspaces, 'can-read-run')) return { kind: 'all' }
  const projectIds = [...within.projects].filter(([, on]) => has(on.workspaces, 'can-read-run')).map(([id]) => id)
  const workspaceIds = [...within.workspaces].filter(([, set]) => has(set, 'can-read-run')).map(([id]) => id)
  return { kind: 'some', projectIds, workspaceIds }
}

/** The projects a list may show: all, or these. */
export function visibleProjects(within: OrganizationGrants): { kind: 'all' } | { kind: 'some'; projectIds: string[] } {
  const { has } = projectRights
  if (has(within.organizationWide.projects, 'can-read')) return { kind: 'all' }
  const seen = [...within.projects].filter(([, on]) => has(on.project, 'can-read'))
  return { kind: 'some', projectIds: seen.map(([id]) => id) }
}
