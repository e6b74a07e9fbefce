import type { Instant } from '../../../../kernel/clock.ts'
import type { Workspace } from '../workspace.ts'

/** True if the time of a workspace has come. */
export const isDue = (
  { autoDestroyAt, autoDestroyStatus }: Pick<Workspace, 'autoDestroyAt' | 'autoDestroyStatus'>,
  now: Instant,
): boolean => autoDestroyStatus === 'scheduled' && autoDestroyAt !== null && autoDestroyAt <= now

/** Why a workspace whose time has come is not destroyed. */
type SkipReason = 'no-resources' | 'destroy-not-allowed' | 'runs-elsewhere' | 'no-executor'

/** Why nothing is destroyed: the workspace then keeps its resources and shows that its time was skipped. */
export function skipReason(
  workspace: Pick<Workspace, 'resourceCount' | 'resourceCountKnown' | 'allowDestroyPlan'>,
  executionMode: string,
  isRemoteExecutionOn: boolean,
): SkipReason | undefined {
  if (workspace.resourceCountKnown && workspace.resourceCount === 0) return 'no-resources'
  if (!workspace.allowDestroyPlan) return 'destroy-not-allowed'
  if (executionMode === 'local') return 'runs-elsewhere'
  return isRemoteExecutionOn ? undefined : 'no-executor'
}
