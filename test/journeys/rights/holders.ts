import type { Level } from './levels.ts'

/*
 * Who holds which right, as docs/workspace-access.md says: levels of access to a workspace, to its project and over the
 * organization, each detail of a custom access, owners and the organization's own token. It is written down by hand, so
 * that a change of the code that decides shows up here.
 */

const owners: readonly Level[] = ['owner', 'owners team']
const wholeOrganization: readonly Level[] = [...owners, 'organization token']
const admins: readonly Level[] = [
  'admin',
  'project admin',
  'admin of both projects',
  'manage-workspaces',
  'manage-projects',
  ...wholeOrganization,
]
const writers: readonly Level[] = ['write', 'project write', 'project maintain', ...admins]
const readers: readonly Level[] = [
  'read',
  'plan',
  'project read',
  'read-workspaces',
  'manage-policies',
  'manage-agent-pools',
  ...writers,
]
const customs: readonly Level[] = [
  'custom runs',
  'custom variables:read',
  'custom variables:write',
  'custom state:outputs',
  'custom state:read',
  'custom state:write',
  'custom locking',
  'custom run-tasks',
  'project settings:update',
  'project settings:delete',
  'project teams:read',
  'project teams:manage',
  'project delete',
  'project create+move',
]
const without = (levels: readonly Level[], ...left: Level[]) => levels.filter((level) => !left.includes(level))

const onWorkspaces = {
  'workspace:can-read-run': [...readers, ...customs],
  'workspace:can-read-settings': [...readers, ...customs],
  'workspace:can-read-variable': [...readers, 'custom variables:read', 'custom variables:write'],
  'workspace:can-read-state-outputs': [...readers, 'custom state:outputs', 'custom state:read', 'custom state:write'],
  'workspace:can-read-state-versions': [...readers, 'custom state:read', 'custom state:write'],
  'workspace:can-create-state-versions': [...without(writers, 'organization token'), 'custom state:write'],
  'workspace:can-update-variable': [...writers, 'custom variables:write'],
  // An organization's own token queues nothing.
  'workspace:can-queue-run': ['plan', ...without(writers, 'organization token'), 'custom runs'],
  'workspace:can-queue-apply': [...without(writers, 'organization token'), 'custom runs'],
  'workspace:force-cancel': without(admins, 'organization token'),
  'workspace:read-plan': without(admins, 'organization token'),
  'workspace:can-lock': [...writers, 'custom locking'],
  'workspace:can-unlock': [...writers, 'custom locking'],
  'workspace:can-force-unlock': admins,
  'workspace:can-update': admins,
  'workspace:can-destroy': [...admins, 'project maintain', 'project delete'],
  'workspace:can-force-delete': owners,
  'workspace:can-manage-tags': admins,
  // Replacing all consumers takes the right to manage all workspaces; administrators add and remove.
  'workspace:replace-consumers': ['manage-workspaces', ...wholeOrganization],
  // Moving takes an administrator of both projects.
  'workspace:move': ['admin of both projects', 'manage-projects', ...wholeOrganization],
} as const satisfies Readonly<Record<string, readonly Level[]>>

const projectAdmins: readonly Level[] = [
  'project admin',
  'admin of both projects',
  'manage-projects',
  ...wholeOrganization,
]
const onProjects = {
  'project:can-read': [
    'project read',
    'project write',
    'project maintain',
    'project settings:update',
    'project settings:delete',
    'project teams:read',
    'project teams:manage',
    'project delete',
    'project create+move',
    'read-projects',
    'read-workspaces',
    'manage-policies',
    'manage-agent-pools',
    'manage-workspaces',
    ...projectAdmins,
  ],
  'project:can-update': ['project settings:update', 'project settings:delete', ...projectAdmins],
  'project:can-manage-tags': ['project settings:update', 'project settings:delete', ...projectAdmins],
  'project:can-destroy': ['project settings:delete', ...projectAdmins],
  'project:can-move-workspace': projectAdmins,
  'project:move-between': ['admin of both projects', 'manage-projects', ...wholeOrganization],
  'project:can-read-teams': ['project teams:read', 'project teams:manage', ...projectAdmins],
  'project:can-manage-teams': ['project teams:manage', ...projectAdmins],
} as const satisfies Readonly<Record<string, readonly Level[]>>

const members: readonly Level[] = [
  'none',
  'member',
  'admin',
  'project admin',
  'read-workspaces',
  'read-projects',
  'manage-policies',
  'manage-agent-pools',
  'manage-workspaces',
  'manage-projects',
  'manage-vcs-settings',
  'manage-membership',
  'manage-teams',
  'manage-organization-access',
  'access-secret-teams',
  'what has no use yet',
  ...wholeOrganization,
]
const inOrganizations = {
  'organization:can-traverse': members,
  'organization:can-update': owners,
  'organization:can-destroy': owners,
  'organization:can-update-api-token': owners,
  'organization:can-create-workspace': ['manage-workspaces', ...wholeOrganization],
  'organization:can-manage-sets': ['manage-workspaces', ...wholeOrganization],
  'organization:can-create-project': ['manage-projects', ...wholeOrganization],
  'organization:can-manage-tags': ['manage-workspaces', ...wholeOrganization],
  'organization:can-manage-users': ['manage-membership', ...wholeOrganization],
  'organization:can-update-agent-pools': ['manage-agent-pools', ...wholeOrganization],
  'organization:can-update-oauth': ['manage-vcs-settings', ...wholeOrganization],
  // Keys are for people and teams, not for the organization's own token.
  'organization:can-see-ssh-keys': without(members, 'organization token'),
  'organization:can-update-ssh-keys': ['manage-vcs-settings', ...owners],
  'organization:can-read-changes': wholeOrganization,
  'organization:can-create-team': ['manage-teams', ...wholeOrganization],
  'organization:can-manage-teams': ['manage-teams', ...wholeOrganization],
  'organization:can-fill-teams': ['manage-teams', 'manage-membership', ...wholeOrganization],
  'organization:can-see-secret-teams': ['manage-teams', 'access-secret-teams', ...wholeOrganization],
  // A person is seen by those who share an organization with it, and by the administrator of the site.
  'organization:can-see-its-people': ['site', ...members],
  // The user of the scene is the owner of the organization.
  'organization:is-the-user': ['owner', 'site'],
} as const satisfies Readonly<Record<string, readonly Level[]>>

/** Who holds each right. */
export const holders = { ...onWorkspaces, ...onProjects, ...inOrganizations } as const

/** A right that endpoints ask for. */
export type Right = keyof typeof holders

/** True if somebody of this level holds the right. */
export const holds = (level: Level, right: Right): boolean => (holders[right] as readonly Level[]).includes(level)
