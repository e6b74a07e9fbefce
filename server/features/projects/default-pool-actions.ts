import { hidden } from '../../access/permissions/index.ts'
import { requireNoFaults } from '../../kit/jsonapi/index.ts'
import type { Tx } from '../../storage/open.ts'
import {
  followerFaults,
  type InheritedDefaults,
  keepDefaultPool,
  loadPoolFollowers,
  type Project,
  type ProjectSettings,
} from '../organizations/index.ts'
import { type AskedProject, executionFaults } from './project-rules.ts'
import { holdProject } from './project-store.ts'

type Asked = { readonly asked: AskedProject; readonly poolPointer: string }

/**
 * Refuses settings that would leave the project or workspaces in it in agent mode without a pool. What the organization
 * decides, and which workspaces use the pool, cannot change before the transaction ends.
 */
export async function requireDefaultPools(
  tx: Tx,
  { asked, poolPointer }: Asked,
  after: Project,
  before?: Project,
): Promise<void> {
  if (before && hasSameExecution(before, after)) return
  const organization = await keepDefaultPool(tx, after.organizationId)
  if (!organization) throw hidden()
  requireNoFaults(executionFaults(asked, after, { inherited: organization, poolPointer }))
  if (!before || poolOf(before, organization) === null || poolOf(after, organization) !== null) return
  await holdProject(tx, after.id)
  requireNoFaults(followerFaults('workspaces', await loadPoolFollowers(tx, { projectId: after.id }), pointerOf(asked)))
}

const hasSameExecution = (one: ProjectSettings, other: ProjectSettings): boolean =>
  one.defaultExecutionMode === other.defaultExecutionMode &&
  one.defaultAgentPoolId === other.defaultAgentPoolId &&
  one.overwritesExecutionMode === other.overwritesExecutionMode &&
  one.overwritesAgentPool === other.overwritesAgentPool

/** The pool that workspaces with agent mode of their own follow, whatever the mode of the project. */
const poolOf = (project: ProjectSettings, organization: InheritedDefaults): string | null =>
  project.overwritesAgentPool ? project.defaultAgentPoolId : organization.defaultAgentPoolId

const pointerOf = ({ defaultExecutionMode }: AskedProject): string =>
  `/data/attributes/${defaultExecutionMode === undefined ? 'setting-overwrites' : 'default-execution-mode'}`
