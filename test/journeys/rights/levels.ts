import type { Client } from '../../support/client.ts'
import { doc, join, mustBe, type Organization, type Person, person, team } from '../../support/platform.ts'
import type { TestApp } from '../../support/test-app.ts'

/** What a team is given: over the whole organization, on the project of the scene, on another, on the workspace. */
export type Given = {
  readonly organization?: readonly string[]
  readonly project?: object
  readonly otherProject?: object
  readonly workspace?: object
}

/** Somebody who calls with exactly the rights of one level. */
export type Caller = Client & { readonly token: string; readonly given: Given; readonly teamId?: string }

const custom = (details: object): object => ({ access: 'custom', ...details })

/** Teams with access to one workspace. */
const onWorkspace = {
  read: { access: 'read' },
  plan: { access: 'plan' },
  write: { access: 'write' },
  admin: { access: 'admin' },
  'custom runs': custom({ runs: 'apply' }),
  'custom variables:read': custom({ variables: 'read' }),
  'custom variables:write': custom({ variables: 'write' }),
  'custom state:outputs': custom({ 'state-versions': 'read-outputs' }),
  'custom state:read': custom({ 'state-versions': 'read' }),
  'custom state:write': custom({ 'state-versions': 'write' }),
  'custom locking': custom({ 'workspace-locking': true }),
  'custom run-tasks': custom({ 'run-tasks': true }),
} as const

/** Teams with access to a project and everything in it. */
const onProject = {
  'project read': { access: 'read' },
  'project write': { access: 'write' },
  'project maintain': { access: 'maintain' },
  'project admin': { access: 'admin' },
  'project settings:update': custom({ 'project-access': { settings: 'update' } }),
  'project settings:delete': custom({ 'project-access': { settings: 'delete' } }),
  'project teams:read': custom({ 'project-access': { teams: 'read' } }),
  'project teams:manage': custom({ 'project-access': { teams: 'manage' } }),
  'project delete': custom({ 'workspace-access': { delete: true } }),
  'project create+move': custom({ 'workspace-access': { create: true, move: true } }),
  'admin of both projects': { access: 'admin' },
} as const

/** Teams with access over the whole organization. */
const inOrganization = {
  'read-workspaces': ['read-workspaces'],
  'read-projects': ['read-projects'],
  'manage-policies': ['manage-policies'],
  'manage-agent-pools': ['manage-agent-pools'],
  'manage-workspaces': ['manage-workspaces'],
  'manage-projects': ['manage-projects'],
  'manage-vcs-settings': ['manage-vcs-settings'],
  'manage-membership': ['manage-membership'],
  'manage-teams': ['manage-teams'],
  'manage-organization-access': ['manage-organization-access'],
  'access-secret-teams': ['access-secret-teams'],
  'what has no use yet': [
    'manage-policy-overrides',
    'delegate-policy-overrides',
    'manage-providers',
    'manage-modules',
    'manage-run-tasks',
  ],
} as const

type WorkspaceLevel = keyof typeof onWorkspace
type ProjectLevel = keyof typeof onProject
type OrganizationLevel = keyof typeof inOrganization

/** Everybody who calls: `none` is a team without access, `member` a person without a team, `site` the administrator. */
export type Level =
  | 'none'
  | 'member'
  | 'site'
  | WorkspaceLevel
  | ProjectLevel
  | OrganizationLevel
  | 'owner'
  | 'owners team'
  | 'organization token'

const withoutAccess: readonly Level[] = ['none', 'member', 'site']
const wholeOrganization: readonly Level[] = [
  ...(Object.keys(inOrganization) as OrganizationLevel[]),
  'owner',
  'owners team',
  'organization token',
]
const projectLevels = Object.keys(onProject) as ProjectLevel[]

/** Who is asked about what: far from a resource, the highest of the near levels stands for the others. */
export const levelsAround = {
  workspace: [
    ...withoutAccess,
    ...(Object.keys(onWorkspace) as WorkspaceLevel[]),
    ...projectLevels,
    ...wholeOrganization,
  ],
  project: [...withoutAccess, 'admin', ...projectLevels, ...wholeOrganization],
  organization: [...withoutAccess, 'admin', 'project admin', ...wholeOrganization],
} as const satisfies Readonly<Record<string, readonly Level[]>>

/** Gives a team access to a workspace or a project; returns the id of the access. */
export async function giveAccess(
  owner: Client,
  teamId: string,
  target: { readonly type: 'workspaces' | 'projects'; readonly id: string },
  access: object,
): Promise<string> {
  const type = `team-${target.type}`
  const relationships = { team: { data: { type: 'teams', id: teamId } }, [target.type.slice(0, -1)]: { data: target } }
  return mustBe(await owner.post(`/api/v2/${type}`, doc(type, access, relationships)), 201).body.data.id
}

/** Where the levels have their access. */
type Places = { readonly workspaceId: string; readonly projectId: string; readonly otherProjectId: string }

/** Makes a caller of every level. */
export async function makeCallers(
  app: TestApp,
  of: Organization,
  { workspaceId, projectId, otherProjectId }: Places,
): Promise<Readonly<Record<Level, Caller>>> {
  const made: Record<string, Caller> = {}
  const teamWith = async (name: string, given: Given) => {
    const granted = Object.fromEntries((given.organization ?? []).map((access) => [access, true]))
    const plain = name.replaceAll(/[^a-z-]+/g, '_')
    const caller = await team(of, plain, { 'organization-access': granted })
    if (given.workspace) await giveAccess(of.owner, caller.id, { type: 'workspaces', id: workspaceId }, given.workspace)
    if (given.project) await giveAccess(of.owner, caller.id, { type: 'projects', id: projectId }, given.project)
    const other = { type: 'projects', id: otherProjectId } as const
    if (given.otherProject) await giveAccess(of.owner, caller.id, other, given.otherProject)
    made[name] = { ...caller, given, teamId: caller.id }
  }
  await teamWith('none', {})
  for (const [name, access] of Object.entries(onWorkspace)) await teamWith(name, { workspace: access })
  for (const [name, access] of Object.entries(onProject)) {
    await teamWith(name, { project: access, ...(name === 'admin of both projects' ? { otherProject: access } : {}) })
  }
  for (const [name, access] of Object.entries(inOrganization)) await teamWith(name, { organization: access })
  const member = await person(app, 'rights-onlooker')
  await join(of, member)
  const persons = { member, owner: of.owner, site: { ...app.root, token: app.rootToken } }
  for (const [name, caller] of Object.entries(persons)) made[name] = { ...caller, given: {} }
  made['owners team'] = await ownersTeam(of.owner, of.name)
  made['organization token'] = await withNewToken(of.owner, `/api/v2/organizations/${of.name}/authentication-token`)
  return made as Record<Level, Caller>
}

/** The token of the team that owns an organization. */
export async function ownersTeam(owner: Person, organization: string): Promise<Caller> {
  const teams = await owner.get(`/api/v2/organizations/${organization}/teams?filter[names]=owners`)
  const id = mustBe(teams, 200).body.data[0].id
  return { ...(await withNewToken(owner, `/api/v2/teams/${id}/authentication-token`)), teamId: id }
}

async function withNewToken(owner: Person, path: string): Promise<Caller> {
  const { token } = mustBe(await owner.post(path), 201).body.data.attributes
  return { ...owner.as(token), token, given: {} }
}
