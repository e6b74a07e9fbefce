import type { Instant } from '../../../kernel/clock.ts'
import type { Fault } from '../../../kernel/failure.ts'
import type { Id } from '../../../kernel/ids.ts'

/** The identifier of an organization; documents refer to it by name. */
export type OrganizationId = Id<'org'>

/** Where runs of a workspace are executed. */
export const executionModes = ['remote', 'local', 'agent'] as const

/** One of the execution modes. */
export type ExecutionMode = (typeof executionModes)[number]

/** What an organization decides for everything in it. */
export type OrganizationSettings = {
  readonly name: string
  readonly email: string
  readonly collaboratorAuthPolicy: string
  readonly defaultExecutionMode: ExecutionMode
  readonly defaultAgentPoolId: string | null
  readonly defaultTool: string
  readonly allowForceDeleteWorkspaces: boolean
  readonly assessmentsEnforced: boolean
  /** The value of `global-remote-state` in new workspaces that do not set it. */
  readonly defaultGlobalRemoteState: boolean
  /** True if new workspaces follow the defaults instead of copying them. */
  readonly workspacesInheritSettingsByDefault: boolean
  /** False if nothing readable is kept beside a state that its writer encrypted. */
  readonly keepOutputsOfEncryptedState: boolean
  readonly userTokensEnabled: boolean
  readonly costEstimationEnabled: boolean
  readonly speculativePlanManagementEnabled: boolean
  readonly aggregatedCommitStatusEnabled: boolean
  readonly sendPassingStatusesForUntriggeredSpeculativePlans: boolean
  readonly sessionTimeout: number | null
  readonly sessionRemember: number | null
}

/** An organization: the outermost container of workspaces, people and rights. */
export type Organization = OrganizationSettings & {
  readonly id: OrganizationId
  readonly defaultProjectId: Id<'prj'>
  /** Which paid features the hosted edition gives. */
  readonly tier: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** The project that workspaces go to when none is named. */
export const defaultProjectName = 'Default Project'

/** Names of our own pages below `/app`. */
const reserved = new Set(['settings', 'sign-in', 'sign-out', 'invitations', 'resets', 'account', 'session', 'assets'])

/** Names are plain ASCII, so that no two organizations look alike. */
export function organizationNameProblem(name: string): string | undefined {
  if (name === '') return "can't be blank"
  if (name.length > 64) return 'is too long, the maximum is 64 characters'
  if (!/^[A-Za-z0-9_-]+$/.test(name)) return 'may contain only letters, numbers, "-" and "_"'
  return reserved.has(name.toLowerCase()) ? 'is reserved' : undefined
}

/** Where a document may name a default pool. */
export const defaultPoolPointers = {
  attribute: '/data/attributes/default-agent-pool-id',
  relationship: '/data/relationships/default-agent-pool',
} as const

/** Settings as a document gives them. */
export type AskedSettings = {
  readonly read: Partial<OrganizationSettings>
  /** Where the document names the default pool. */
  readonly poolPointer: string
}

/** The execution mode and the pool that an organization gives to what has none of its own. */
export type OrganizationDefaults = Pick<OrganizationSettings, 'defaultExecutionMode' | 'defaultAgentPoolId'>

/** The parts of a request that decide about the default pool. */
type PoolRequest = {
  readonly defaultExecutionMode?: ExecutionMode
  readonly defaultAgentPoolId?: string | null
}

/** The members that decide whether a pool is valid. */
const poolBasis = ['/data/attributes/default-execution-mode', ...Object.values(defaultPoolPointers)]

/**
 * The mode and pool after a request. A pool is possible in agent mode only, and is removed when the mode changes to
 * another. Faults of the pool point to where the document names it.
 */
export function settleDefaultPool(
  before: OrganizationDefaults,
  asked: PoolRequest,
  pointer: string,
): { mode: ExecutionMode; poolId: string | null; faults: Fault[] } {
  const mode = asked.defaultExecutionMode ?? before.defaultExecutionMode
  const given = asked.defaultAgentPoolId
  const fault = (detail: string): Fault => ({ detail, pointer, dependsOn: poolBasis })
  if (mode !== 'agent') return { mode, poolId: null, faults: given ? [fault(poolUnused)] : [] }
  const poolId = given === undefined ? before.defaultAgentPoolId : given
  return { mode, poolId, faults: poolId ? [] : [fault(poolNeeded)] }
}

const poolNeeded = "Default agent pool must be specified when using 'agent' execution mode"
const poolUnused = "Default agent pool must not be specified unless using 'agent' execution mode"
