import type { Fault } from '../../../kernel/failure.ts'
import type { Team } from '../teams/team.ts'

/** A team's access to a workspace or a project. */
export type TeamAccess<D> = {
  readonly id: string
  readonly organizationId: string
  readonly team: Pick<Team, 'id' | 'name' | 'visibility'>
  readonly targetId: string
  readonly access: string
  readonly details: D
}

/** The details that count for workspaces, whether they come with a workspace or with its project. */
export type WorkspaceDetails = {
  readonly runs: string
  readonly variables: string
  readonly stateVersions: string
  readonly sentinelMocks: string
  readonly workspaceLocking: boolean
  readonly runTasks: boolean
  readonly policyOverrides: boolean
}

/** The details of access to a project. Creating and moving workspaces is up to those who manage all of them. */
export type ProjectDetails = WorkspaceDetails & {
  readonly settings: string
  readonly teams: string
  readonly variableSets: string
  readonly create: boolean
  readonly delete: boolean
  readonly move: boolean
}

/** The values each detail can have, from the least. */
export const detailValues = {
  runs: ['read', 'plan', 'apply'],
  variables: ['none', 'read', 'write'],
  stateVersions: ['none', 'read-outputs', 'read', 'write'],
  sentinelMocks: ['none', 'read'],
  settings: ['read', 'update', 'delete'],
  teams: ['none', 'read', 'manage'],
  variableSets: ['none', 'read', 'write'],
} as const

/** A kind of access: its levels, the initial details of a custom one, and where details are in documents. */
export type AccessKind<D extends object> = {
  readonly levels: Readonly<Record<string, D>>
  readonly least: D
  readonly pointers: Readonly<Record<keyof D & string, string>>
}

const none: WorkspaceDetails = {
  runs: 'read',
  variables: 'none',
  stateVersions: 'none',
  sentinelMocks: 'none',
  workspaceLocking: false,
  runTasks: false,
  policyOverrides: false,
}
const read: WorkspaceDetails = { ...none, variables: 'read', stateVersions: 'read' }
const write: WorkspaceDetails = {
  ...none,
  runs: 'apply',
  variables: 'write',
  stateVersions: 'write',
  sentinelMocks: 'read',
  workspaceLocking: true,
}
const admin: WorkspaceDetails = { ...write, runTasks: true }

const workspacePointers = {
  runs: 'runs',
  variables: 'variables',
  stateVersions: 'state-versions',
  sentinelMocks: 'sentinel-mocks',
  workspaceLocking: 'workspace-locking',
  runTasks: 'run-tasks',
  policyOverrides: 'policy-overrides',
} as const

/** Access to one workspace. */
export const onWorkspaces: AccessKind<WorkspaceDetails> = {
  levels: { read, plan: { ...read, runs: 'plan' }, write, admin },
  least: none,
  pointers: workspacePointers,
}

type OwnDetails = Omit<ProjectDetails, keyof WorkspaceDetails>
const projectReader: OwnDetails = {
  settings: 'read',
  teams: 'none',
  variableSets: 'read',
  create: false,
  delete: false,
  move: false,
}
const projectAdmin: OwnDetails = {
  settings: 'delete',
  teams: 'manage',
  variableSets: 'write',
  create: false,
  delete: true,
  move: true,
}

/** Access to a project and the workspaces in it. */
export const onProjects: AccessKind<ProjectDetails> = {
  levels: {
    read: { ...read, ...projectReader },
    write: { ...write, ...projectReader },
    maintain: { ...write, ...projectReader, variableSets: 'write', delete: true },
    admin: { ...admin, ...projectAdmin },
  },
  least: { ...none, ...projectReader, variableSets: 'none' },
  pointers: {
    settings: 'project-access/settings',
    teams: 'project-access/teams',
    variableSets: 'project-access/variable-sets',
    runs: 'workspace-access/runs',
    variables: 'workspace-access/variables',
    stateVersions: 'workspace-access/state-versions',
    sentinelMocks: 'workspace-access/sentinel-mocks',
    workspaceLocking: 'workspace-access/locking',
    runTasks: 'workspace-access/run-tasks',
    policyOverrides: 'workspace-access/policy-overrides',
    create: 'workspace-access/create',
    delete: 'workspace-access/delete',
    move: 'workspace-access/move',
  },
}

/** What a request asks for; absent members stay. */
export type RequestedAccess<D> = { readonly access?: string | undefined; readonly details: Partial<D> }

/** An access after a request, or what is wrong with it. */
type SettledAccess<D> = { readonly access: string; readonly details: D; readonly faults: readonly Fault[] }

/**
 * Details can be set for custom access only; a level has its own, and custom access starts with those that were in
 * force.
 */
export function settleAccess<D extends object>(
  kind: AccessKind<D>,
  requested: RequestedAccess<D>,
  before?: Pick<TeamAccess<D>, 'access' | 'details'>,
): SettledAccess<D> {
  const access = requested.access ?? before?.access ?? 'custom'
  if (access === 'custom') {
    return { access, details: { ...(before?.details ?? kind.least), ...requested.details }, faults: [] }
  }
  const faults = (Object.keys(requested.details) as (keyof D & string)[]).map((name) => {
    const place = kind.pointers[name]
    const detail = `${labelOf(place)} is read-only when access level is '${access}'; ${useCustom}`
    return { detail, pointer: `/data/attributes/${place}` }
  })
  return { access, details: kind.levels[access] ?? kind.least, faults }
}

/** Clients of this family know these words. */
const useCustom = "use the 'custom' access level to set this attribute."

/** `workspace-access/state-versions` as people call it: `State versions`. */
function labelOf(place: string): string {
  const name = (place.split('/').at(-1) ?? place).replaceAll('-', ' ')
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
