import type { Fault } from '../../../kernel/failure.ts'
import type { UsableConfiguration } from '../configurations/configuration.ts'
import { isUsable } from '../configurations/configuration.ts'
import {
  byVersion,
  isAtLeast,
  type Release,
  readVersionRequest,
  resolveVersion,
} from '../workspaces/tool-versions/tool-version.ts'
import type { Execution, Workspace } from '../workspaces/workspace.ts'
import type { Run } from './run.ts'
import { invoking } from './run-fields.ts'

/** A variable that a run is given; its value is a text in the language of configurations. */
export type GivenVariable = { readonly key: string; readonly value: string }

/** What a request says about a new run; what is absent was not sent, or was faulty. */
export type RequestedRun = Partial<
  Pick<
    Run,
    | 'message'
    | 'isDestroy'
    | 'refresh'
    | 'refreshOnly'
    | 'targetAddrs'
    | 'replaceAddrs'
    | 'savePlan'
    | 'allowEmptyApply'
    | 'allowConfigGeneration'
    | 'debuggingMode'
    | 'policyPaths'
    | 'invokeActionAddrs'
    | 'planOnly'
    | 'autoApply'
    | 'toolVersion'
  >
> & { readonly variables?: readonly GivenVariable[] }

/** What a new run depends on besides the request. */
export type CreationContext = {
  readonly workspace: Workspace
  readonly execution: Execution
  readonly isRemoteExecutionOn: boolean
  readonly configuration: UsableConfiguration | undefined
  /** Whether the request names the configuration. */
  readonly isNamed: boolean
  /** The release that is asked for; `isKnown` if the catalogue has it. */
  readonly tool: ToolOfRun
}

/** The tool of a run; `isKnown` if the catalogue has it, and `had` lists all that can be had if this one cannot. */
export type ToolOfRun = {
  readonly tool: string
  readonly version: string | null
  readonly isKnown: boolean
  readonly had?: readonly string[]
}

/** The tools of the runners that may take a job now, and whether one of them fetches others from the catalogue. */
export type FleetTools = { readonly tools: readonly Release[]; readonly fetches: boolean }

type Asked = {
  /** A version, a constraint or `latest`; undefined if nobody chose one. */
  readonly text: string | undefined
  readonly defaultTool: string
  readonly releases: readonly Release[]
  /** Those of the releases that can be fetched. */
  readonly fetched: readonly Release[]
  /** Undefined while no runner is there. */
  readonly fleet: FleetTools | undefined
}

/** The newest tool that is asked for among those that can be had; where no runner is there, among all known ones. */
export function toolOfRun({ text = 'latest', defaultTool, releases, fetched, fleet }: Asked): ToolOfRun {
  const request = readVersionRequest(text)
  const offered = fleet && [...fleet.tools, ...(fleet.fetches ? fetched : [])]
  const chosen = request && resolveVersion(request, offered ?? releases, defaultTool)
  // Whatever is on the path of a runner was put there by whoever runs it.
  const newest = text === 'latest' ? offered?.toSorted(byVersion)[0] : undefined
  const { tool, version } = chosen ?? newest ?? { tool: request?.tool ?? defaultTool, version: null }
  const isSame = (release: Release) => release.tool === tool && release.version === version
  const isKnown = releases.some(isSame)
  if (!offered || offered.some(isSame)) return { tool, version, isKnown }
  return { tool, version, isKnown, had: offered.map((release) => `${release.tool} ${release.version}`) }
}

const fault = (place: string, detail: string): Fault => ({ pointer: `/data/${place}`, detail })

/** Everything that is wrong with a new run. */
export function creationFaults(requested: RequestedRun, context: CreationContext): Fault[] {
  return [
    ...executionFaults(context),
    ...configurationFaults(requested, context),
    ...optionFaults(requested, context.workspace),
    ...toolFaults(requested, context),
  ]
}

function executionFaults({ isRemoteExecutionOn, execution }: CreationContext): Fault[] {
  const faults: Fault[] = []
  if (!isRemoteExecutionOn) {
    const detail =
      'Remote execution is off for this organization; an owner can set its attribute remote-execution-enabled.'
    faults.push({ ...fault('', detail), pointer: '/data', code: 'runs.remote-execution-off' })
  }
  if (execution.executionMode === 'local') {
    faults.push(fault('relationships/workspace', 'Workspace is executed locally; set its execution-mode to remote'))
  }
  if (execution.executionMode === 'agent' && execution.agentPoolId === null) {
    faults.push(fault('relationships/workspace', 'Workspace has no agent pool; choose one'))
  }
  return faults
}

function configurationFaults({ planOnly }: RequestedRun, context: CreationContext): Fault[] {
  const { configuration, isNamed, workspace } = context
  const at = 'relationships/configuration-version'
  if (!configuration || configuration.organizationId !== workspace.organizationId) {
    const missing = isNamed
      ? 'Configuration version does not exist'
      : 'Workspace has no configuration version with content; create and upload one'
    return [fault(at, missing)]
  }
  if (!isUsable(configuration))
    return [fault(at, `Configuration version cannot be used, it is ${configuration.status}`)]
  return planOnly === false && configuration.speculative
    ? [fault('attributes/plan-only', 'Plan only cannot be false: the configuration version is speculative')]
    : []
}

function optionFaults(requested: RequestedRun, workspace: Workspace): Fault[] {
  const { isDestroy, planOnly, refresh, refreshOnly, replaceAddrs, savePlan, targetAddrs, invokeActionAddrs } =
    requested
  const faults: Fault[] = []
  const refuse = (name: string, detail: string) => faults.push(fault(`attributes/${name}`, detail))
  if (planOnly && savePlan) refuse('save-plan', 'Save plan cannot be combined with plan-only')
  if (refreshOnly && isDestroy) refuse('refresh-only', 'Refresh only cannot be combined with is-destroy')
  if (refreshOnly && refresh === false) refuse('refresh-only', 'Refresh only needs refresh')
  if (refreshOnly && replaceAddrs?.length) refuse('refresh-only', 'Refresh only cannot be combined with replace-addrs')
  if (isDestroy && !planOnly && !workspace.allowDestroyPlan)
    refuse('is-destroy', 'Is destroy is refused: the workspace does not allow destroy plans')
  if (invokeActionAddrs?.length && (isDestroy || targetAddrs?.length))
    refuse('invoke-action-addrs', 'Invoke action addrs cannot be combined with is-destroy or target-addrs')
  return faults
}

function toolFaults({ toolVersion, planOnly, invokeActionAddrs }: RequestedRun, { tool }: CreationContext): Fault[] {
  const faults: Fault[] = []
  const refuse = (name: string, detail: string) => faults.push(fault(`attributes/${name}`, detail))
  if (toolVersion !== undefined && !planOnly) {
    refuse('tool-version', 'Tool version can be chosen for plan-only runs; others use that of the workspace')
  } else if (toolVersion === undefined && tool.had) {
    const have = tool.had.length > 0 ? `they have ${[...new Set(tool.had)].join(', ')}` : 'they have no tool at all'
    refuse(
      'tool-version',
      `No runner that may take the run has ${tool.tool} ${tool.version ?? 'as asked for'}; ${have}`,
    )
  } else if (tool.version === null || (toolVersion !== undefined && !tool.isKnown)) {
    const which = toolVersion === undefined ? 'of the workspace ' : ''
    refuse('tool-version', `Tool version ${which}is no release that this server knows`)
  }
  const canInvoke = tool.tool === invoking.tool && isAtLeast(tool.version ?? undefined, invoking.version)
  if (invokeActionAddrs?.length && !canInvoke)
    refuse('invoke-action-addrs', 'Invoke action addrs need a tool that can invoke actions')
  return faults
}

/** Runs that may be open at the same time. */
const mostOpen = { inWorkspace: 1_000, inOrganization: 20_000 }

/** The fault of one run too many. */
export function openFaults(open: { readonly inWorkspace: number; readonly inOrganization: number }): Fault[] {
  const refused = (what: string, most: number) => [
    { pointer: '/data', detail: `${what} has ${most} runs that have not ended; cancel or discard some` },
  ]
  if (open.inWorkspace >= mostOpen.inWorkspace) return refused('Workspace', mostOpen.inWorkspace)
  return open.inOrganization >= mostOpen.inOrganization ? refused('Organization', mostOpen.inOrganization) : []
}

/** The variables of a request, of which the last one of a key counts. */
export function lastOfEachKey(variables: readonly GivenVariable[]): readonly GivenVariable[] {
  const byKey = new Map(variables.map((variable) => [variable.key, variable]))
  return [...byKey.values()]
}

/** An empty list of addresses is none. */
export const givenOrNull = (list: readonly string[] | null | undefined): readonly string[] | null =>
  list?.length ? list : null
