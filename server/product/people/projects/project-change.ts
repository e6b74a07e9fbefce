import type { Fault } from '../../../kernel/failure.ts'
import { defaultsInForce, type InheritedDefaults, type ProjectSettings } from '../organizations/projects/project.ts'

/** What a document asks for; absent members keep what is there. */
export type RequestedProject = Partial<Omit<ProjectSettings, 'overwritesExecutionMode' | 'overwritesAgentPool'>> & {
  readonly overwrites?: {
    readonly defaultExecutionMode?: boolean | undefined
    readonly defaultAgentPool?: boolean | undefined
  }
}

/**
 * A default that is sent overwrites that of the organization, unless the document says otherwise: then the organization
 * decides, and the default is ignored. The pool is removed when the mode is no longer `agent`. A missing pool
 * overwrites nothing: a project that follows the mode of its organization then follows its pool as well.
 */
export function mergeSettings(
  before: ProjectSettings,
  { overwrites, ...requested }: RequestedProject,
): ProjectSettings {
  const { defaultExecutionMode, defaultAgentPoolId, ...others } = withoutUndefined(requested)
  const overwritesExecutionMode =
    overwrites?.defaultExecutionMode ?? (defaultExecutionMode !== undefined || before.overwritesExecutionMode)
  const ownsPool =
    overwrites?.defaultAgentPool ??
    overwrites?.defaultExecutionMode ??
    (defaultExecutionMode !== undefined || defaultAgentPoolId !== undefined || before.overwritesAgentPool)
  const mode = (overwritesExecutionMode ? defaultExecutionMode : undefined) ?? before.defaultExecutionMode
  const leavesAgents = overwritesExecutionMode && mode !== 'agent'
  const requestedPool = defaultAgentPoolId === undefined ? before.defaultAgentPoolId : defaultAgentPoolId
  const pool = !ownsPool || leavesAgents ? null : requestedPool
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
  { overwrites, defaultAgentPoolId }: RequestedProject,
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
