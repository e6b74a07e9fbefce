import { type Instant, maybeIso } from '../../../../kernel/clock.ts'
import { serverAuthor } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { defineJob, type Job } from '../../../../kit/job.ts'
import { partsOf } from '../../../../kit/parts.ts'
import { workOff } from '../../../../kit/work-off.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { organizationOf } from '../../../people/organizations/index.ts'
import { activityMilliseconds } from '../settings/auto-destroy.ts'
import { projectDefaultsOf } from '../settings/settings-actions.ts'
import { effectiveExecution, inheritedExecution, type Workspace } from '../workspace.ts'
import { changeInTransaction } from '../workspace-actions.ts'
import { loadWorkspace } from '../workspace-store.ts'
import { isDue, skipReason } from './destruction.ts'
import { listDue, rescheduleFollowers } from './destruction-store.ts'

declare module '../../../../kit/parts.ts' {
  interface FeatureParts {
    /** Begins to destroy what a workspace manages; returns why it cannot. */
    scheduledDestroy: (deps: Deps, workspace: Workspace) => Promise<string | undefined>
  }
}

/** Begins the destruction of every workspace whose time has come, or skips it, each once; returns how many. */
export const handleOverdueDestructions = (deps: Deps, signal: AbortSignal): Promise<number> =>
  workOff(deps, {
    find: (limit) => listDue(deps.db, deps.clock.now(), limit),
    handle: async (id) => {
      const workspace = await loadWorkspace(deps.db, id)
      return workspace !== undefined && (await destroyOrSkip(deps, workspace))
    },
    problem: 'could not begin or skip a scheduled destruction',
    signal,
  })

async function destroyOrSkip(deps: Deps, workspace: Workspace): Promise<boolean> {
  const organization = await organizationOf(deps, workspace.organizationId)
  const project = await projectDefaultsOf(deps, workspace.projectId)
  const { executionMode } = effectiveExecution(workspace, inheritedExecution(organization, project))
  const [begin] = partsOf(deps, 'scheduledDestroy')
  const executes = begin !== undefined && organization.remoteExecutionEnabled
  const reason = skipReason(workspace, executionMode, executes) ?? (await begin?.(deps, workspace))
  return reason === undefined || (await skip(deps, workspace, reason))
}

/** False if its time was changed in the meantime; a duration stays for the next activity. */
async function skip(deps: Deps, { id }: Workspace, reason: string): Promise<boolean> {
  const { before, after } = await inTransaction(deps.db, (tx) =>
    changeInTransaction(deps, tx, serverAuthor, { id }, async (workspace) => {
      const at = deps.clock.now()
      if (!isDue(workspace, at)) return undefined
      const entry = {
        action: 'skip-auto-destroy',
        before: {
          'auto-destroy-at': maybeIso(workspace.autoDestroyAt),
          'auto-destroy-status': workspace.autoDestroyStatus,
        },
        after: { 'auto-destroy-at': null, 'auto-destroy-status': 'skipped', reason },
      }
      return { members: { autoDestroyAt: null, autoDestroyStatus: 'skipped', updatedAt: at }, entries: [entry] }
    }),
  )
  return before !== after
}

/** Reschedules the workspaces that follow their project, in the transaction that changes its duration. */
export const rescheduleWithProject = (
  tx: Tx,
  projectId: string,
  duration: string | null,
  now: Instant,
): Promise<void> =>
  rescheduleFollowers(tx, projectId, { wait: duration === null ? null : activityMilliseconds(duration), now })

/** Begins or skips the destruction of workspaces whose time to be destroyed has come. */
export const autoDestroyJob: Job = defineJob({
  name: 'workspaces.auto-destroy',
  every: '1m',
  run: async (deps, { signal }) => {
    const handled = await handleOverdueDestructions(deps, signal)
    if (handled > 0) deps.log.info({ handled }, 'scheduled destructions begun or skipped')
  },
})
