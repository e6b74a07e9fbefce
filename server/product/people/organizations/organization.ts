import type { Fault } from '../../../kernel/failure.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Stored } from '../../../kit/field-set.ts'
import type { ExecutionMode } from './execution-modes.ts'
import type { facts, settings, tokenLimits } from './organization-fields.ts'

/** The identifier of an organization; documents refer to it by name. */
export type OrganizationId = Id<'org'>

/** What an organization decides for everything in it. */
export type OrganizationSettings = Stored<typeof settings.fields>

/** How long tokens may last, in milliseconds. */
export type TokenLimits = Stored<typeof tokenLimits.fields>

/** An organization: the outermost container of workspaces, people and rights. */
export type Organization = OrganizationSettings &
  TokenLimits &
  Stored<typeof facts.fields> & {
    readonly id: OrganizationId
    readonly defaultProjectId: Id<'prj'>
  }

/** The project that workspaces go to when none is named. */
export const defaultProjectName = 'Default Project'

/** Where a document may name a default pool. */
export const defaultPoolPointers = {
  attribute: '/data/attributes/default-agent-pool-id',
  relationship: '/data/relationships/default-agent-pool',
} as const

/** Settings as a document gives them. */
export type RequestedSettings = {
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
  requested: PoolRequest,
  pointer: string,
): { mode: ExecutionMode; poolId: string | null; faults: Fault[] } {
  const mode = requested.defaultExecutionMode ?? before.defaultExecutionMode
  const given = requested.defaultAgentPoolId
  const fault = (detail: string): Fault => ({ detail, pointer, dependsOn: poolBasis })
  if (mode !== 'agent') return { mode, poolId: null, faults: given ? [fault(poolUnused)] : [] }
  const poolId = given === undefined ? before.defaultAgentPoolId : given
  return { mode, poolId, faults: poolId ? [] : [fault(poolNeeded)] }
}

const poolNeeded = "Default agent pool must be specified when using 'agent' execution mode"
const poolUnused = "Default agent pool must not be specified unless using 'agent' execution mode"
