import { defineRights, type RightSet } from './right-set.ts'

/** What can be allowed on a workspace; the names are those of `permissions` in its document. */
export const workspaceRights = defineRights([
  'can-update',
  'can-destroy',
  'can-queue-run',
  'can-read-run',
  'can-read-variable',
  'can-update-variable',
  'can-read-state-versions',
  'can-read-state-outputs',
  'can-create-state-versions',
  'can-queue-apply',
  'can-lock',
  'can-unlock',
  'can-force-unlock',
  'can-read-settings',
  'can-manage-tags',
  'can-manage-run-tasks',
  'can-force-delete',
  'can-manage-assessments',
  'can-manage-ephemeral-workspaces',
  'can-read-assessment-results',
  'can-queue-destroy',
])

/** The name of a right on a workspace. */
export type WorkspaceRight = (typeof workspaceRights.names)[number]

/** Rights on a workspace. */
export type WorkspaceRightSet = RightSet<WorkspaceRight>

const { of, union, without } = workspaceRights

const commonRights = of('can-read-run', 'can-read-settings', 'can-read-assessment-results')

const read = union(commonRights, of('can-read-variable', 'can-read-state-outputs', 'can-read-state-versions'))

const plan = union(read, of('can-queue-run'))

const addedByWrite = of('can-queue-apply', 'can-queue-destroy', 'can-create-state-versions', 'can-update-variable')

const write = union(plan, addedByWrite, of('can-lock', 'can-unlock'))

/** Force delete is an exception: owners have it, others only where the organization says so. */
const admin = without(workspaceRights.all, 'can-force-delete')

/** What each level of access to a workspace allows. */
export const workspaceLevels = { read, plan, write, admin } as const

/** What a level of access to a project allows on the workspaces in it. */
export const projectLevels = {
  read,
  write,
  maintain: union(write, of('can-destroy')),
  admin,
} as const

/** An organization token sets workspaces up; it runs nothing and stores no state. */
export const organizationTokenOnWorkspaces = without(
  admin,
  'can-queue-run',
  'can-queue-apply',
  'can-queue-destroy',
  'can-create-state-versions',
)

/** What a run may do on a workspace that shares its state with it. */
export const runOnSharing = of('can-read-run', 'can-read-state-outputs', 'can-read-state-versions')

/** What the tool of a run may do on its own workspace. */
export const runReads = union(commonRights, of('can-read-state-outputs', 'can-read-state-versions'))

/** The runner of an apply stores its state as well. */
export const runWrites = union(runReads, of('can-create-state-versions'))

/** The details of a `custom` access. Those after `runTasks` exist on projects only. */
export type CustomAccess = {
  readonly runs: string
  readonly variables: string
  readonly stateVersions: string
  readonly workspaceLocking: boolean
  readonly runTasks: boolean
  readonly workspaceDelete?: boolean
}

const customRuns: Readonly<Record<string, WorkspaceRightSet>> = {
  plan: of('can-queue-run'),
  apply: of('can-queue-run', 'can-queue-apply', 'can-queue-destroy'),
}

const customVariables: Readonly<Record<string, WorkspaceRightSet>> = {
  read: of('can-read-variable'),
  write: of('can-read-variable', 'can-update-variable'),
}

const customState: Readonly<Record<string, WorkspaceRightSet>> = {
  'read-outputs': of('can-read-state-outputs'),
  read: of('can-read-state-outputs', 'can-read-state-versions'),
  write: of('can-read-state-outputs', 'can-read-state-versions', 'can-create-state-versions'),
}

/** What a custom access allows on a workspace. */
export const customRights = (access: CustomAccess): WorkspaceRightSet =>
  union(
    commonRights,
    customRuns[access.runs] ?? workspaceRights.none,
    customVariables[access.variables] ?? workspaceRights.none,
    customState[access.stateVersions] ?? workspaceRights.none,
    access.workspaceLocking ? of('can-lock', 'can-unlock') : workspaceRights.none,
    access.runTasks ? of('can-manage-run-tasks') : workspaceRights.none,
    access.workspaceDelete ? of('can-destroy') : workspaceRights.none,
  )
