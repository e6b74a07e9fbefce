import type { Schemas } from '../api/client.ts'

/** What a team may do in a project or workspace, as the API says it. */
export type Access = {
  readonly id: string
  readonly level: string
  readonly runs: string
  readonly variables: string
  readonly stateVersions: string
  readonly locking: boolean
  readonly deletes: boolean
  readonly settings: string
  readonly teams: string
}

type Team = Schemas['Team']
type Grants = NonNullable<Team['attributes']['organization-access']>

/** Access to a project, and by it to all its workspaces. */
export function ofProject({ id, attributes }: Schemas['TeamProject']): Access {
  const onWorkspaces = attributes['workspace-access']
  const onProject = attributes['project-access']
  return {
    id,
    level: attributes.access ?? 'custom',
    runs: onWorkspaces?.runs ?? 'read',
    variables: onWorkspaces?.variables ?? 'none',
    stateVersions: onWorkspaces?.['state-versions'] ?? 'none',
    locking: onWorkspaces?.locking ?? false,
    deletes: onWorkspaces?.delete ?? false,
    settings: onProject?.settings ?? 'read',
    teams: onProject?.teams ?? 'none',
  }
}

/** Access to one workspace. */
export function ofWorkspace({ id, attributes }: Schemas['TeamWorkspace']): Access {
  const level = attributes.access ?? 'custom'
  return {
    id,
    level,
    runs: attributes.runs ?? 'read',
    variables: attributes.variables ?? 'none',
    stateVersions: attributes['state-versions'] ?? 'none',
    locking: attributes['workspace-locking'] ?? false,
    deletes: level === 'admin',
    settings: level === 'admin' ? 'delete' : 'read',
    teams: level === 'admin' ? 'manage' : 'none',
  }
}

const none: Access = {
  id: '',
  level: 'none',
  runs: 'none',
  variables: 'none',
  stateVersions: 'none',
  locking: false,
  deletes: false,
  settings: 'none',
  teams: 'none',
}
const reader: Access = {
  ...none,
  level: 'read',
  runs: 'read',
  variables: 'read',
  stateVersions: 'read',
  settings: 'read',
}
const administrator: Access = {
  id: '',
  level: 'admin',
  runs: 'apply',
  variables: 'write',
  stateVersions: 'write',
  locking: true,
  deletes: true,
  settings: 'delete',
  teams: 'manage',
}

/** Rights of the whole organization that give access everywhere, and what each gives. */
const everywhere: readonly (readonly [grant: keyof Grants, words: string, gives: Access])[] = [
  ['manage-projects', 'manages all projects', administrator],
  [
    'manage-workspaces',
    'manages all workspaces',
    { ...administrator, level: 'maintain', settings: 'read', teams: 'none' },
  ],
  ['read-workspaces', 'reads all workspaces', reader],
  ['manage-policies', 'manages policies', reader],
  ['manage-agent-pools', 'manages agent pools', reader],
]

/** What a team may do everywhere by a right of the whole organization, and by which. */
export function fromOrganization(team: Team): { readonly access: Access; readonly why: string } | undefined {
  if (team.attributes.name === 'owners') return { access: administrator, why: 'all rights' }
  const grants = team.attributes['organization-access']
  const found = everywhere.find(([grant]) => grants?.[grant])
  return found && { access: found[2], why: found[1] }
}

const order = ['none', 'read', 'plan', 'write', 'maintain', 'admin']

const rank = (level: string): number => order.indexOf(level === 'custom' ? 'read' : level)

/** What holds: what was given, unless the organization gives more. */
export function inForce(
  team: Team,
  given: Access | undefined,
): { readonly access: Access | undefined; readonly inherited: boolean } {
  const wide = fromOrganization(team)?.access
  if (wide && rank(wide.level) >= rank(given?.level ?? 'none')) return { access: wide, inherited: true }
  return { access: given, inherited: false }
}

/** The bars of a level; custom access has no place in the row. */
export const barsOf = (level: string): 0 | 1 | 2 | 3 | 4 =>
  (({ read: 1, plan: 1, write: 2, maintain: 3, admin: 4 }) as const)[level] ?? 0

/** One thing that a team may or may not do. */
export type Ability = { readonly label: string; readonly may: boolean; readonly term?: string }

/** What an access means, in words; `undefined` is no access at all. */
export function abilities(access: Access | undefined, on: 'project' | 'workspace'): readonly Ability[] {
  const { runs, variables, stateVersions, locking, deletes, settings, teams } = access ?? none
  const reads = ['read', 'write'].includes(stateVersions)
  const shared: readonly Ability[] = [
    runs === 'plan'
      ? { label: 'Plan', may: true, term: 'runs: plan' }
      : { label: 'Plan and apply', may: runs === 'apply', term: `runs: ${runs}` },
    { label: 'Lock and unlock', may: locking, term: 'locking' },
    stateVersions === 'read-outputs'
      ? { label: 'Read outputs of state', may: true, term: 'state: outputs' }
      : { label: 'Read state', may: reads, term: `state: ${stateVersions}` },
    { label: 'Write state by hand', may: stateVersions === 'write' },
    { label: 'Read variables', may: variables !== 'none', term: `variables: ${variables}` },
    { label: 'Change variables', may: variables === 'write' },
    { label: on === 'project' ? 'Delete workspaces' : 'Delete the workspace', may: deletes },
    { label: 'Change settings', may: settings === 'update' || settings === 'delete', term: `settings: ${settings}` },
    { label: 'Change access', may: teams === 'manage', term: `teams: ${teams}` },
  ]
  return access === undefined ? shared.map(({ label }) => ({ label, may: false })) : shared
}

/** What each right of the whole organization allows; those that have no effect yet are left out. */
export const organizationRights: readonly (readonly [
  right: keyof Grants,
  label: string,
  hint: string,
  group: 'Workspaces and projects' | 'People and teams' | 'Runs and connections',
])[] = [
  [
    'read-workspaces',
    'Read all workspaces',
    'Reads every workspace with its state and variables.',
    'Workspaces and projects',
  ],
  ['read-projects', 'Read all projects', 'Sees every project.', 'Workspaces and projects'],
  [
    'manage-workspaces',
    'Manage all workspaces',
    'Creates, changes and deletes every workspace.',
    'Workspaces and projects',
  ],
  [
    'manage-projects',
    'Manage all projects',
    'Creates, changes and deletes every project and its workspaces.',
    'Workspaces and projects',
  ],
  ['manage-membership', 'Manage members', 'Invites and removes people, and fills teams.', 'People and teams'],
  ['manage-teams', 'Manage teams', 'Creates, changes and deletes teams, and makes their tokens.', 'People and teams'],
  [
    'manage-organization-access',
    'Grant these rights',
    'Gives teams rights of the whole organization that it has itself.',
    'People and teams',
  ],
  ['access-secret-teams', 'See secret teams', 'Sees teams that only their members see.', 'People and teams'],
  [
    'manage-agent-pools',
    'Manage agent pools',
    'Creates pools and their tokens; reads all workspaces.',
    'Runs and connections',
  ],
  [
    'manage-vcs-settings',
    'Manage connections',
    'Connects version control and stores SSH keys.',
    'Runs and connections',
  ],
]
