import type { Instant } from '../../kernel/clock.ts'
import type { Fault } from '../../kernel/failure.ts'
import type { Id } from '../../kernel/ids.ts'
import type { ExecutionMode } from '../organizations/index.ts'

/** The settings of a project. */
export type ProjectSettings = {
  readonly name: string
  readonly description: string
  readonly autoDestroyActivityDuration: string | null
  readonly defaultExecutionMode: ExecutionMode
  readonly defaultAgentPoolId: string | null
  readonly overwritesExecutionMode: boolean
  readonly overwritesAgentPool: boolean
}

/** A group of workspaces with settings of its own. */
export type Project = ProjectSettings & {
  readonly id: Id<'prj'>
  readonly organizationId: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A project with the numbers of its workspaces and teams. */
export type CountedProject = Project & { readonly workspaceCount: number; readonly teamCount: number }

/** The settings of a project with nothing but a name. */
export const blankSettings = (name: string): ProjectSettings => ({
  name,
  description: '',
  autoDestroyActivityDuration: null,
  defaultExecutionMode: 'remote',
  defaultAgentPoolId: null,
  overwritesExecutionMode: false,
  overwritesAgentPool: false,
})

/** What is wrong with the name of a project. */
export function projectNameProblem(name: string): string | undefined {
  if (name.trim() === '') return "can't be blank"
  if (name !== name.trim()) return 'must not begin or end with a space'
  if (!/^[A-Za-z0-9 _-]+$/.test(name)) return 'may only contain letters, numbers, spaces, "-" and "_"'
  return name.length < 3 || name.length > 40 ? 'must have 3 to 40 characters' : undefined
}

/** What a document asks for; absent members keep what is there. */
export type AskedProject = Partial<Omit<ProjectSettings, 'overwritesExecutionMode' | 'overwritesAgentPool'>> & {
  readonly overwrites?: {
    readonly defaultExecutionMode?: boolean | undefined
    readonly defaultAgentPool?: boolean | undefined
  }
}

/** What the organization decides for projects that do not decide it themselves. */
export type InheritedDefaults = Pick<ProjectSettings, 'defaultExecutionMode' | 'defaultAgentPoolId'>

/**
 * Mode and pool in force: the project's own if it overwrites them, else those of the organization; a pool is for agent
 * mode only.
 */
export function defaultsInForce(project: ProjectSettings, inherited: InheritedDefaults): InheritedDefaults {
  const defaultExecutionMode = project.overwritesExecutionMode
    ? project.defaultExecutionMode
    : inherited.defaultExecutionMode
  const pool = project.overwritesAgentPool ? project.defaultAgentPoolId : inherited.defaultAgentPoolId
  return { defaultExecutionMode, defaultAgentPoolId: defaultExecutionMode === 'agent' ? pool : null }
}

/**
 * A default that is sent overwrites that of the organization, unless the document says otherwise: then the organization
 * decides, and the default is ignored. The pool is removed when the mode is no longer `agent`. A missing pool
 * overwrites nothing: a project that follows the mode of its organization then follows its pool as well.
 */
export function mergeSettings(before: ProjectSettings, { overwrites, ...asked }: AskedProject): ProjectSettings {
  const { defaultExecutionMode, defaultAgentPoolId, ...others } = withoutUndefined(asked)
  const overwritesExecutionMode =
    overwrites?.defaultExecutionMode ?? (defaultExecutionMode !== undefined || before.overwritesExecutionMode)
  const ownsPool =
    overwrites?.defaultAgentPool ??
    overwrites?.defaultExecutionMode ??
    (defaultExecutionMode !== undefined || defaultAgentPoolId !== undefined || before.overwritesAgentPool)
  const mode = (overwritesExecutionMode ? defaultExecutionMode : undefined) ?? before.defaultExecutionMode
  const leavesAgents = overwritesExecutionMode && mode !== 'agent'
  const askedPool = defaultAgentPoolId === undefined ? before.defaultAgentPoolId : defaultAgentPoolId
  const pool = !ownsPool || leavesAgents ? null : askedPool
  return {
    ...before,
    ...others,
    defaultExecutionMode: mode,
    defaultAgentPoolId: pool,
    overwritesExecutionMode,
    overwritesAgentPool: ownsPool && (overwritesExecutionMode || pool !== null),
  }
}

/** What is wrong with mode and pool of a project after a document, which names the pool at the pointer. */
export function executionFaults(
  { overwrites, defaultAgentPoolId }: AskedProject,
  after: ProjectSettings,
  { inherited, poolPointer }: { readonly inherited: InheritedDefaults; readonly poolPointer: string },
): Fault[] {
  const faults: Fault[] = []
  const { defaultExecutionMode: ownMode, defaultAgentPool: ownPool } = overwrites ?? {}
  if (ownMode !== undefined && ownPool !== undefined && ownMode !== ownPool) {
    const detail =
      'If agent-pool and execution-mode are both included in setting-overwrites, their values must be the same.'
    faults.push({ detail, pointer: '/data/attributes/setting-overwrites' })
  }
  const inForce = defaultsInForce(after, inherited)
  if (inForce.defaultExecutionMode === 'agent' && inForce.defaultAgentPoolId === null) {
    faults.push({
      detail: "Default agent pool must be specified when using 'agent' execution mode",
      pointer: poolPointer,
    })
  }
  if (inForce.defaultExecutionMode !== 'agent' && after.overwritesAgentPool && defaultAgentPoolId) {
    faults.push({
      title: 'unprocessable entity',
      detail: "Agent pool must not be specified unless using 'agent' execution mode",
      pointer: poolPointer,
    })
  }
  return faults
}

const withoutUndefined = <T extends object>(value: T): Partial<T> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Partial<T>
