import { type ProjectRightSet, projectLevelsOnProject, projectRights } from './project-rights.ts'
import { defineRights, type RightSet } from './right-set.ts'
import { type WorkspaceRightSet, workspaceLevels, workspaceRights } from './workspace-rights.ts'

/** What can be allowed in an organization; the names are those of `permissions` in its document. */
export const organizationRights = defineRights([
  'can-traverse',
  'can-update',
  'can-destroy',
  'can-create-workspace',
  'can-manage-all-workspaces',
  'can-create-project',
  'can-create-team',
  'can-manage-teams',
  'can-manage-organization-access',
  'can-access-secret-teams',
  'can-manage-users',
  'can-manage-tags',
  'can-update-agent-pools',
  'can-update-oauth',
  'can-update-ssh-keys',
  'can-update-sentinel',
  'can-manage-run-tasks',
  'can-update-authentication',
  'can-update-api-token',
  'can-read-changes',
])

/** The name of a right in an organization. */
export type OrganizationRight = (typeof organizationRights.names)[number]

/** Rights in an organization. */
type OrganizationRightSet = RightSet<OrganizationRight>

/** What a team can be granted over a whole organization, by the names of `organization-access`. */
export const organizationAccessNames = [
  'manage-policies',
  'manage-policy-overrides',
  'delegate-policy-overrides',
  'manage-workspaces',
  'manage-vcs-settings',
  'manage-providers',
  'manage-modules',
  'manage-run-tasks',
  'manage-projects',
  'read-workspaces',
  'read-projects',
  'manage-membership',
  'manage-teams',
  'manage-organization-access',
  'access-secret-teams',
  'manage-agent-pools',
] as const

/** One grant over a whole organization. */
export type OrganizationAccess = (typeof organizationAccessNames)[number]

/** What is allowed everywhere in an organization: in it, on each of its projects, on each of its workspaces. */
export type OrganizationWideRights = {
  readonly organization: OrganizationRightSet
  readonly projects: ProjectRightSet
  readonly workspaces: WorkspaceRightSet
}

const { of, without } = organizationRights
const noRights = {
  organization: organizationRights.none,
  projects: projectRights.none,
  workspaces: workspaceRights.none,
}
const readWorkspaces = { projects: projectLevelsOnProject.read, workspaces: workspaceLevels.read }

/** What each grant over a whole organization allows. */
const rightsByAccess: Readonly<Record<OrganizationAccess, Partial<OrganizationWideRights>>> = {
  'manage-policies': { organization: of('can-update-sentinel'), ...readWorkspaces },
  'manage-policy-overrides': {},
  'delegate-policy-overrides': {},
  'manage-workspaces': {
    organization: of('can-create-workspace', 'can-manage-all-workspaces', 'can-manage-tags'),
    projects: projectRights.of('can-read', 'can-create-workspace'),
    workspaces: workspaceLevels.admin,
  },
  'manage-vcs-settings': { organization: of('can-update-oauth', 'can-update-ssh-keys') },
  'manage-providers': {},
  'manage-modules': {},
  'manage-run-tasks': { organization: of('can-manage-run-tasks') },
  'manage-projects': {
    organization: of('can-create-project'),
    projects: projectLevelsOnProject.admin,
    workspaces: workspaceLevels.admin,
  },
  'read-workspaces': readWorkspaces,
  'read-projects': { projects: projectLevelsOnProject.read },
  'manage-membership': { organization: of('can-manage-users') },
  'manage-teams': { organization: of('can-create-team', 'can-manage-teams') },
  'manage-organization-access': { organization: of('can-manage-organization-access') },
  'access-secret-teams': { organization: of('can-access-secret-teams') },
  'manage-agent-pools': { organization: of('can-update-agent-pools'), ...readWorkspaces },
}

/** What these grants allow together, for somebody who belongs to the organization. */
export function organizationWideRights(access: Iterable<OrganizationAccess>): OrganizationWideRights {
  let { organization, projects, workspaces } = { ...noRights, organization: of('can-traverse') }
  for (const name of access) {
    const allowed = { ...noRights, ...rightsByAccess[name] }
    organization = organizationRights.union(organization, allowed.organization)
    projects = projectRights.union(projects, allowed.projects)
    workspaces = workspaceRights.union(workspaces, allowed.workspaces)
  }
  return { organization, projects, workspaces }
}

/** Owners may do everything. */
export const ownerRights: OrganizationWideRights = {
  organization: organizationRights.all,
  projects: projectRights.all,
  workspaces: workspaceRights.all,
}

/** An organization token sets up workspaces, projects and teams; it does not own the organization. */
export const organizationTokenRights = without(
  organizationRights.all,
  'can-update',
  'can-destroy',
  'can-update-ssh-keys',
  'can-update-authentication',
  'can-update-api-token',
)
