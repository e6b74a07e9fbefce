import { expect, test } from 'vitest'
import {
  addWorkspaceAccess,
  canDelegate,
  canDelegateOnProject,
  canInOrganization,
  canOnProject,
  type OrganizationGrants,
  organizationTokenGrants,
  type ProjectAccessFacts,
  rightsOnProject,
  rightsOnWorkspace,
  type TeamFacts,
  uniteGrants,
  visibleProjects,
  visibleWorkspaces,
  type WorkspaceAccessFacts,
} from './grants.ts'
import { type OrganizationAccess, type OrganizationRight, organizationRights } from './organization-rights.ts'
import { projectRights } from './project-rights.ts'
import { type WorkspaceRight, workspaceRights } from './workspace-rights.ts'

const organization = { id: 'org-1', name: 'acme', allowForceDelete: false, userTokensEnabled: true }
const workspace = { id: 'ws-1', projectId: 'prj-1' }
const team = (access: readonly OrganizationAccess[] = [], owners = false): TeamFacts => ({
  id: 'team-1',
  owners,
  access,
})
const nothing = { runs: 'read', variables: 'none', stateVersions: 'none', workspaceLocking: false, runTasks: false }

const onWorkspace = (access: string, custom: Partial<WorkspaceAccessFacts> = {}): WorkspaceAccessFacts => ({
  ...nothing,
  workspaceId: 'ws-1',
  access,
  ...custom,
})

const onProject = (access: string, custom: Partial<ProjectAccessFacts> = {}): ProjectAccessFacts => ({
  ...nothing,
  projectId: 'prj-1',
  access,
  settings: 'read',
  teams: 'none',
  ...custom,
})

const byTeam = (access: readonly OrganizationAccess[], owners = false) =>
  uniteGrants(organization, [team(access, owners)], new Map(), [])
const byWorkspace = (access: WorkspaceAccessFacts) =>
  uniteGrants(organization, [team()], addWorkspaceAccess(new Map(), [access]), [])
const byProject = (access: ProjectAccessFacts) => uniteGrants(organization, [team()], new Map(), [access])

/** Every way to get at a workspace, by the name of its column. */
const columns: Readonly<Record<string, OrganizationGrants>> = {
  none: byTeam([]),
  read: byWorkspace(onWorkspace('read')),
  plan: byWorkspace(onWorkspace('plan')),
  write: byWorkspace(onWorkspace('write')),
  admin: byWorkspace(onWorkspace('admin')),
  'prj-read': byProject(onProject('read')),
  'prj-write': byProject(onProject('write')),
  maintain: byProject(onProject('maintain')),
  'prj-admin': byProject(onProject('admin')),
  'read-ws': byTeam(['read-workspaces']),
  policies: byTeam(['manage-policies']),
  pools: byTeam(['manage-agent-pools']),
  'manage-ws': byTeam(['manage-workspaces']),
  'manage-prj': byTeam(['manage-projects']),
  owners: byTeam([], true),
  'org-token': organizationTokenGrants(organization),
}

/** The matrix of the contract: one line for each boolean, the columns that have it. */
const readers =
  'read plan write admin prj-read prj-write maintain prj-admin read-ws policies pools manage-ws manage-prj owners org-token'
const planners = 'plan write admin prj-write maintain prj-admin manage-ws manage-prj owners'
const writers = 'write admin prj-write maintain prj-admin manage-ws manage-prj owners'
const admins = 'admin prj-admin manage-ws manage-prj owners org-token'
const matrix: Readonly<Record<WorkspaceRight, string>> = {
  'can-read-run': readers,
  'can-read-settings': readers,
  'can-read-variable': readers,
  'can-read-state-outputs': readers,
  'can-read-state-versions': readers,
  'can-read-assessment-results': readers,
  'can-queue-run': planners,
  'can-queue-apply': writers,
  'can-queue-destroy': writers,
  'can-create-state-versions': writers,
  'can-update-variable': `${writers} org-token`,
  'can-lock': `${writers} org-token`,
  'can-unlock': `${writers} org-token`,
  'can-force-unlock': admins,
  'can-update': admins,
  'can-destroy': `${admins} maintain`,
  'can-force-delete': 'owners',
  'can-manage-tags': admins,
  'can-manage-run-tasks': admins,
  'can-manage-assessments': admins,
  'can-manage-ephemeral-workspaces': admins,
}

const cells = Object.entries(matrix).flatMap(([right, holders]) =>
  Object.keys(columns).map((column) => [column, right as WorkspaceRight, holders.split(' ').includes(column)] as const),
)

test('workspace matrix: covers all 21 booleans and every column', () => {
  expect(Object.keys(matrix).sort()).toEqual([...workspaceRights.names].sort())
  expect(cells).toHaveLength(21 * 16)
})

test.each(cells)('workspace matrix: %s, %s is %s', (column, right, expected) => {
  const grants = columns[column] as OrganizationGrants
  expect(workspaceRights.flags(rightsOnWorkspace(grants, workspace))[right]).toBe(expected)
})

/** What each detail of a custom access adds; all others stay false. */
const customCases: readonly [string, Partial<WorkspaceAccessFacts>, readonly WorkspaceRight[]][] = [
  ['nothing', {}, []],
  ['runs plan', { runs: 'plan' }, ['can-queue-run']],
  ['runs apply', { runs: 'apply' }, ['can-queue-run', 'can-queue-apply', 'can-queue-destroy']],
  ['variables read', { variables: 'read' }, ['can-read-variable']],
  ['variables write', { variables: 'write' }, ['can-read-variable', 'can-update-variable']],
  ['state read-outputs', { stateVersions: 'read-outputs' }, ['can-read-state-outputs']],
  ['state read', { stateVersions: 'read' }, ['can-read-state-outputs', 'can-read-state-versions']],
  [
    'state write',
    { stateVersions: 'write' },
    ['can-read-state-outputs', 'can-read-state-versions', 'can-create-state-versions'],
  ],
  ['locking', { workspaceLocking: true }, ['can-lock', 'can-unlock']],
  ['run tasks', { runTasks: true }, ['can-manage-run-tasks']],
]

test.each(customCases)('custom access on a workspace and on its project: %s', (_name, custom, added) => {
  const expected = ['can-read-run', 'can-read-settings', 'can-read-assessment-results', ...added].sort()
  const held = (grants: OrganizationGrants) => {
    const set = rightsOnWorkspace(grants, workspace)
    return workspaceRights.names.filter((name) => workspaceRights.has(set, name)).sort()
  }
  expect(held(byWorkspace(onWorkspace('custom', custom)))).toEqual(expected)
  expect(held(byProject(onProject('custom', custom)))).toEqual(expected)
})

test('custom access to a project: workspaceDelete grants can-destroy in that project only', () => {
  const grants = byProject(onProject('custom', { workspaceDelete: true }))
  expect(workspaceRights.has(rightsOnWorkspace(grants, workspace), 'can-destroy')).toBe(true)
  expect(rightsOnWorkspace(grants, { id: 'ws-1', projectId: 'prj-2' })).toBe(workspaceRights.none)
})

test.each(Object.keys(columns))(
  'force delete: if the organization allows it, %s has it exactly if it has can-update',
  (column) => {
    const grants = { ...(columns[column] as OrganizationGrants), allowForceDelete: true }
    const set = rightsOnWorkspace(grants, workspace)
    expect(workspaceRights.has(set, 'can-force-delete')).toBe(workspaceRights.has(set, 'can-update'))
  },
)

test('union: rights of several teams and scopes add up, and none takes any away', () => {
  const teams = [team(['read-workspaces']), { ...team(['manage-agent-pools']), id: 'team-2' }]
  const grants = uniteGrants(
    organization,
    teams,
    addWorkspaceAccess(new Map(), [onWorkspace('custom', { variables: 'write' }), onWorkspace('plan')]),
    [onProject('custom', { workspaceLocking: true })],
  )
  const set = rightsOnWorkspace(grants, workspace)
  const held = workspaceRights.names.filter((name) => workspaceRights.has(set, name))
  expect(held).toEqual(
    expect.arrayContaining(['can-update-variable', 'can-queue-run', 'can-lock', 'can-read-state-versions']),
  )
  expect(held).not.toContain('can-queue-apply')
  expect([...grants.teamIds]).toEqual(['team-1', 'team-2'])
})

test('access: another workspace, another project and an unknown level give no rights', () => {
  expect(rightsOnWorkspace(columns.admin as OrganizationGrants, { id: 'ws-2', projectId: 'prj-1' })).toBe(
    workspaceRights.none,
  )
  expect(rightsOnWorkspace(columns['prj-admin'] as OrganizationGrants, { id: 'ws-1', projectId: 'prj-2' })).toBe(
    workspaceRights.none,
  )
  expect(rightsOnWorkspace(byWorkspace(onWorkspace('owner')), workspace)).toBe(workspaceRights.none)
  expect(rightsOnProject(byProject(onProject('owner')), 'prj-1')).toBe(projectRights.none)
})

const projectMatrix: readonly [string, OrganizationGrants, string][] = [
  ['no access', byTeam([]), ''],
  ['workspace admin', byWorkspace(onWorkspace('admin')), ''],
  ['read', byProject(onProject('read')), 'can-read'],
  ['write', byProject(onProject('write')), 'can-read'],
  ['maintain', byProject(onProject('maintain')), 'can-read'],
  [
    'admin',
    byProject(onProject('admin')),
    'can-read can-update can-destroy can-move-workspace can-read-teams can-manage-teams can-manage-tags',
  ],
  ['custom', byProject(onProject('custom')), 'can-read'],
  [
    'custom settings update',
    byProject(onProject('custom', { settings: 'update' })),
    'can-read can-update can-manage-tags',
  ],
  [
    'custom settings delete',
    byProject(onProject('custom', { settings: 'delete' })),
    'can-read can-update can-destroy can-manage-tags',
  ],
  ['custom teams read', byProject(onProject('custom', { teams: 'read' })), 'can-read can-read-teams'],
  [
    'custom teams manage',
    byProject(onProject('custom', { teams: 'manage' })),
    'can-read can-read-teams can-manage-teams',
  ],
  ['read-projects', byTeam(['read-projects']), 'can-read'],
  ['read-workspaces', byTeam(['read-workspaces']), 'can-read'],
  ['manage-workspaces', byTeam(['manage-workspaces']), 'can-read can-create-workspace'],
  [
    'manage-projects',
    byTeam(['manage-projects']),
    'can-read can-update can-destroy can-move-workspace can-read-teams can-manage-teams can-manage-tags',
  ],
  ['owners', byTeam([], true), projectRights.names.join(' ')],
  ['organization token', organizationTokenGrants(organization), projectRights.names.join(' ')],
]

test.each(projectMatrix)('project matrix: rights given by %s', (_name, grants, expected) => {
  const held = projectRights.names.filter((name) => canOnProject(grants, name, 'prj-1'))
  expect(held.join(' ')).toBe(expected)
})

/** What each grant over an organization adds to belonging to it. */
const organizationMatrix: Readonly<Record<OrganizationAccess, readonly OrganizationRight[]>> = {
  'manage-policies': ['can-update-sentinel'],
  'manage-policy-overrides': [],
  'delegate-policy-overrides': [],
  'manage-workspaces': ['can-create-workspace', 'can-manage-all-workspaces', 'can-manage-tags'],
  'manage-vcs-settings': ['can-update-oauth', 'can-update-ssh-keys'],
  'manage-providers': [],
  'manage-modules': [],
  'manage-run-tasks': ['can-manage-run-tasks'],
  'manage-projects': ['can-create-project'],
  'read-workspaces': [],
  'read-projects': [],
  'manage-membership': ['can-manage-users'],
  'manage-teams': ['can-create-team', 'can-manage-teams'],
  'manage-organization-access': ['can-manage-organization-access'],
  'access-secret-teams': ['can-access-secret-teams'],
  'manage-agent-pools': ['can-update-agent-pools'],
}

test.each(Object.entries(organizationMatrix))('organization matrix: %s adds %j', (access, added) => {
  const grants = byTeam([access as OrganizationAccess])
  const held = organizationRights.names.filter((name) => canInOrganization(grants, name))
  expect([...held].sort()).toEqual(['can-traverse', ...added].sort())
})

test('organization matrix: owners have every right, the organization token all but five', () => {
  const held = (grants: OrganizationGrants) =>
    organizationRights.names.filter((name) => canInOrganization(grants, name))
  expect(held(byTeam([], true))).toEqual(organizationRights.names)
  const missing = organizationRights.names.filter(
    (name) => !canInOrganization(organizationTokenGrants(organization), name),
  )
  expect(missing.sort()).toEqual([
    'can-destroy',
    'can-update',
    'can-update-api-token',
    'can-update-authentication',
    'can-update-ssh-keys',
  ])
})

test('handing out: callers can grant only access they have, and only owners can make owners', () => {
  const wanted = (access: readonly OrganizationAccess[]) => ({ owners: false, access })
  const manager = byTeam(['manage-teams', 'manage-workspaces'])
  expect(canDelegate(manager, wanted([]))).toBe(true)
  expect(canDelegate(manager, wanted(['manage-workspaces', 'read-workspaces']))).toBe(true)
  expect(canDelegate(manager, wanted(['manage-projects']))).toBe(false)
  expect(canDelegate(manager, { owners: true, access: [] })).toBe(false)
  expect(canDelegate(organizationTokenGrants(organization), { owners: true, access: [] })).toBe(false)
  expect(canDelegate(byTeam([], true), { owners: true, access: [] })).toBe(true)
})

test('delegation on a project: people give what they have there, owners and organization tokens anything', () => {
  const reader = byProject(onProject('read'))
  expect(canDelegateOnProject(reader, onProject('read'))).toBe(true)
  expect(canDelegateOnProject(reader, onProject('write'))).toBe(false)
  expect(canDelegateOnProject(reader, onProject('read', { projectId: 'prj-2' }))).toBe(false)
  expect(canDelegateOnProject(reader, onProject('custom', { workspaceDelete: true }))).toBe(false)
  expect(canDelegateOnProject(byTeam([], true), onProject('admin'))).toBe(true)
  expect(canDelegateOnProject(organizationTokenGrants(organization), onProject('admin'))).toBe(true)
})

test('lists: visible workspaces and projects are given as all or as lists of ids', () => {
  expect(visibleWorkspaces(byTeam([], true))).toEqual({ kind: 'all' })
  expect(visibleWorkspaces(byTeam([]))).toEqual({ kind: 'some', projectIds: [], workspaceIds: [] })
  const grants = uniteGrants(organization, [team()], addWorkspaceAccess(new Map(), [onWorkspace('read')]), [
    onProject('read'),
  ])
  expect(visibleWorkspaces(grants)).toEqual({ kind: 'some', projectIds: ['prj-1'], workspaceIds: ['ws-1'] })
  expect(visibleProjects(grants)).toEqual({ kind: 'some', projectIds: ['prj-1'] })
  expect(visibleProjects(byTeam(['read-projects']))).toEqual({ kind: 'all' })
})
