import type { Fault } from '../../../../kernel/failure.ts'
import type { ExecutionMode } from '../../../people/organizations/execution-modes.ts'
import { type Execution, effectiveExecution, type OwnExecution } from '../workspace.ts'
import { faultAt, poolFault, poolPointers, type RequestedSettings } from './requested-settings.ts'

type Requested = Pick<
  RequestedSettings,
  'executionMode' | 'operations' | 'agentPoolId' | 'poolPointer' | 'settingOverwrites'
>

/** What mode and pool depend on besides the request. */
type ExecutionContext = {
  /** Undefined while the workspace is being created. */
  readonly before: OwnExecution | undefined
  readonly inherited: Execution
  /**
   * The organization's setting for new workspaces that do not say: whether they follow the defaults instead of copying
   * them.
   */
  readonly inheritByDefault: boolean
  /** True if the request moves the workspace to another project. */
  readonly moved: boolean
}

/** Mode and pool after a request, with what is wrong about it. `newPoolId` is a pool whose use is to be checked. */
type SettledExecution = {
  readonly own: OwnExecution
  readonly newPoolId: string | null
  readonly faults: readonly Fault[]
}

const modeBasis = ['execution-mode', 'operations', 'setting-overwrites'].map((name) => `/data/attributes/${name}`)

/** The fault of agent mode without a pool. */
export const poolNeeded = (requested: Requested): Fault =>
  poolFault(requested, 'Agent pool id is required for agent mode', modeBasis)

const poolUnused = (requested: Requested): Fault =>
  poolFault(requested, 'Agent pool id can be given in agent mode only', modeBasis)
const valueNeeded = faultAt(
  'execution-mode',
  "Execution mode can't be blank: a value is required to overwrite the default",
)
const movedWithoutPool: Fault = {
  detail: 'Project has no default agent pool, which workspaces in agent mode need if they have none of their own',
  pointer: '/data/relationships/project',
  dependsOn: [...Object.values(poolPointers), ...modeBasis],
}
const modeGivenTwice = faultAt('operations', 'Operations cannot be given together with execution-mode')

/** Decides mode, pool and who sets them. A `false` in setting-overwrites wins over values sent beside it. */
export function settleExecution(requested: Requested, context: ExecutionContext): SettledExecution {
  const wanted = requested.settingOverwrites ?? {}
  const twice = requested.executionMode !== undefined && requested.operations !== undefined ? [modeGivenTwice] : []
  if (wanted.executionMode === false) return { ...followMode(requested, context), faults: twice }
  const mode = givenMode(requested)
  const missing = wanted.executionMode === true && mode === undefined ? [valueNeeded] : []
  const settled = settlePool(withMode(mode, context), requested, context.inherited)
  const left = context.moved && settled.faults.length === 0 && lacksPool(settled.own, context.inherited)
  return { ...settled, faults: [...twice, ...missing, ...settled.faults, ...(left ? [movedWithoutPool] : [])] }
}

/** True if a workspace would be in agent mode without a pool. */
export function lacksPool(own: OwnExecution, inherited: Execution): boolean {
  const { executionMode, agentPoolId } = effectiveExecution(own, inherited)
  return executionMode === 'agent' && agentPoolId === null
}

/**
 * The workspace follows the mode, and the pool too, unless it asks for a pool of its own while it follows agent mode.
 */
function followMode(requested: Requested, { before, inherited }: ExecutionContext): Omit<SettledExecution, 'faults'> {
  const wantsOwnPool = requested.settingOverwrites?.agentPool === true && inherited.executionMode === 'agent'
  const newPoolId = wantsOwnPool ? requested.agentPoolId || null : null
  const agentPoolId = wantsOwnPool ? (newPoolId ?? before?.agentPoolId ?? null) : null
  const executionMode = before?.executionMode ?? inherited.executionMode
  const flags = { overwritesExecutionMode: false, overwritesAgentPool: agentPoolId !== null }
  return { own: { executionMode, agentPoolId, ...flags }, newPoolId }
}

const givenMode = ({ executionMode, operations }: Requested): ExecutionMode | undefined =>
  executionMode ?? (operations === undefined ? undefined : operations ? 'remote' : 'local')

/** A mode that is sent makes mode and pool the workspace's own; a new workspace without one copies the defaults. */
function withMode(mode: ExecutionMode | undefined, context: ExecutionContext): OwnExecution {
  const { before, inherited, inheritByDefault } = context
  if (mode !== undefined) {
    const kept = before && effectiveExecution(before, inherited).agentPoolId
    return {
      executionMode: mode,
      agentPoolId: mode === 'agent' ? (kept ?? null) : null,
      overwritesExecutionMode: true,
      overwritesAgentPool: true,
    }
  }
  if (before) return before
  const { executionMode, agentPoolId } = inherited
  return inheritByDefault
    ? { executionMode, agentPoolId: null, overwritesExecutionMode: false, overwritesAgentPool: false }
    : { executionMode, agentPoolId, overwritesExecutionMode: true, overwritesAgentPool: true }
}

/** The pool once the mode is settled: followed, set or kept. Outside agent mode none can be named. */
function settlePool(own: OwnExecution, requested: Requested, inherited: Execution): SettledExecution {
  const isAgent = effectiveExecution(own, inherited).executionMode === 'agent'
  // Clients always send the pool, empty if it is not used: that does not count as a value.
  const named = requested.agentPoolId || null
  if (named !== null && !isAgent) return { own, newPoolId: null, faults: [poolUnused(requested)] }
  if (requested.settingOverwrites?.agentPool === false)
    return followPool(own, requested, isAgent && !inherited.agentPoolId)
  return named === null ? keepPool(own, requested, isAgent) : takePool(own, named)
}

/** The workspace has no pool of its own from now on; in agent mode there has to be one to follow. */
function followPool(own: OwnExecution, requested: Requested, lacking: boolean): SettledExecution {
  const following = { ...own, agentPoolId: null, overwritesAgentPool: false }
  return { own: following, newPoolId: null, faults: lacking ? [poolNeeded(requested)] : [] }
}

const takePool = (own: OwnExecution, newPoolId: string): SettledExecution => ({
  own: { ...own, agentPoolId: newPoolId, overwritesAgentPool: true },
  newPoolId,
  faults: [],
})

/** The pool stays as it is. A missing one is a fault only if the request asks for a mode or for a pool of its own. */
function keepPool(own: OwnExecution, requested: Requested, isAgent: boolean): SettledExecution {
  const wantsOwn = requested.settingOverwrites?.agentPool === true
  const kept = wantsOwn ? { ...own, overwritesAgentPool: true } : own
  const lacking = isAgent && kept.overwritesAgentPool && kept.agentPoolId === null
  const isRequested = wantsOwn || givenMode(requested) !== undefined
  return { own: kept, newPoolId: null, faults: lacking && isRequested ? [poolNeeded(requested)] : [] }
}
