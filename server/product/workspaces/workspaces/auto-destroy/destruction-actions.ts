import { type Instant, maybeIso } from '../../../../kernel/clock.ts'
import { recordChange, serverAuthor } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { workOff } from '../../../../kit/work-off.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { organizationOf } from '../../../people/organizations/index.ts'
import { loadWorkspace } from '../records/workspace-store.ts'
import { activityMilliseconds } from '../settings/auto-destroy-rules.ts'
import { projectDefaultsOf } from '../settings/project-defaults-actions.ts'
import { workspaceSubject } from '../workspace-changes.ts'
import { effectiveExecution, inheritedExecution, type Workspace } from '../workspace-rules.ts'
import { skipReason } from './destruction-rules.ts'
import { listDue, rescheduleFollowers, skipDestruction } from './destruction-store.ts'

type DestructionDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'ids' | 'log'>

/** Skips the destruction of every workspace whose time has come, each once; returns how many. */
export const skipOverdueDestructions = (deps: DestructionDeps, signal: AbortSignal): Promise<number> =>
  workOff(deps, {
    find: (limit) => listDue(deps.db, deps.clock.now(), limit),
    handle: async (id) => {
      const workspace = await loadWorkspace(deps.db, id)
      return workspace !== undefined && (await skip(deps, workspace))
    },
    problem: 'could not skip a scheduled destruction',
    signal,
  })

async function skip(deps: DestructionDeps, workspace: Workspace): Promise<boolean> {
  const organization = await organizationOf(deps, workspace.organizationId)
  const project = await projectDefaultsOf(deps, workspace.projectId)
  const { executionMode } = effectiveExecution(workspace, inheritedExecution(organization, project))
  const reason = skipReason(workspace, executionMode)
  return await inTransaction(deps.db, async (tx) => {
    if (!(await skipDestruction(tx, workspace, deps.clock.now()))) return false
    await recordChange(deps, tx, serverAuthor, {
      ...workspaceSubject(workspace),
      action: 'skip-auto-destroy',
      before: {
        'auto-destroy-at': maybeIso(workspace.autoDestroyAt),
        'auto-destroy-status': workspace.autoDestroyStatus,
      },
      after: { 'auto-destroy-at': null, 'auto-destroy-status': 'skipped', reason },
    })
    return true
  })
}

/** Reschedules the workspaces that follow their project, in the transaction that changes its duration. */
export const rescheduleWithProject = (
  tx: Tx,
  projectId: string,
  duration: string | null,
  now: Instant,
): Promise<void> =>
  rescheduleFollowers(tx, projectId, { wait: duration === null ? null : activityMilliseconds(duration), now })
