import { requireNoFaults } from '../../../kit/jsonapi/index.ts'
import type { Tx } from '../../../storage/open.ts'
import {
  followerFaults,
  type InheritedDefaults,
  loadPoolFollowers,
  type Project,
  type ProjectSettings,
} from '../organizations/index.ts'
import type { AskedProject } from './project-rules.ts'
import { holdProject } from './project-store.ts'

type Change = { readonly before: Project; readonly after: Project; readonly inherited: InheritedDefaults }

/**
 * Refuses settings that would leave workspaces of the project in agent mode without a pool. No others can begin to use
 * the pool before the transaction ends.
 */
export async function requirePoolOfFollowers(
  tx: Tx,
  asked: AskedProject,
  { before, after, inherited }: Change,
): Promise<void> {
  if (poolOf(before, inherited) === null || poolOf(after, inherited) !== null) return
  await holdProject(tx, after.id)
  requireNoFaults(followerFaults('workspaces', await loadPoolFollowers(tx, { projectId: after.id }), pointerOf(asked)))
}

/** The pool that workspaces with agent mode of their own follow, whatever the mode of the project. */
const poolOf = (project: ProjectSettings, organization: InheritedDefaults): string | null =>
  project.overwritesAgentPool ? project.defaultAgentPoolId : organization.defaultAgentPoolId

const pointerOf = ({ defaultExecutionMode }: AskedProject): string =>
  `/data/attributes/${defaultExecutionMode === undefined ? 'setting-overwrites' : 'default-execution-mode'}`
