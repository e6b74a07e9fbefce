import { later } from '../../../kernel/clock.ts'
import type { Tx } from '../../../storage/open.ts'
import { activityMilliseconds } from './settings/auto-destroy.ts'
import { loadProjectDefaults } from './settings/project-defaults-store.ts'
import { effectiveAutoDestroy, type Workspace } from './workspace.ts'
import type { ChangedMembers } from './workspace-store.ts'

/** What a workspace shows of its current state. */
type CurrentState = Pick<Workspace, 'currentStateVersionId' | 'resourceCount' | 'resourceCountKnown' | 'latestChangeAt'>

/** What a new current state changes in its workspace. It counts as activity, which delays a scheduled destruction. */
export async function currentStateMembers(tx: Tx, workspace: Workspace, state: CurrentState): Promise<ChangedMembers> {
  const project = await loadProjectDefaults(tx, workspace.projectId)
  const duration = project && effectiveAutoDestroy(workspace, project).duration
  if (!duration) return state
  const autoDestroyAt = later(state.latestChangeAt, activityMilliseconds(duration))
  return { ...state, autoDestroyAt, autoDestroyStatus: 'scheduled' }
}
