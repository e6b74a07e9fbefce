import { type Instant, later } from '../../../../kernel/clock.ts'
import type { Tx } from '../../../../storage/open.ts'
import { activityMilliseconds } from '../settings/auto-destroy-rules.ts'
import { loadProjectDefaults } from '../settings/project-defaults-store.ts'
import { effectiveAutoDestroy, type Workspace } from '../workspace-rules.ts'
import { type CurrentState, saveCurrentState } from './current-state-store.ts'

/** Makes a state version the current one; a new state counts as activity, which delays a scheduled destruction. */
export async function setCurrentState(
  tx: Tx,
  workspace: Workspace,
  state: Omit<CurrentState, 'autoDestroyAt'>,
): Promise<void> {
  await saveCurrentState(tx, workspace.id, { ...state, autoDestroyAt: await autoDestroyAfter(tx, workspace, state.at) })
}

async function autoDestroyAfter(tx: Tx, workspace: Workspace, at: Instant): Promise<Instant | undefined> {
  const project = await loadProjectDefaults(tx, workspace.projectId)
  const duration = project && effectiveAutoDestroy(workspace, project).duration
  return duration ? later(at, activityMilliseconds(duration)) : undefined
}
