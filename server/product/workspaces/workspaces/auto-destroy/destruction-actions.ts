import { type Instant, maybeIso } from '../../../../kernel/clock.ts'
import { serverAuthor } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { defineJob, type Job } from '../../../../kit/job.ts'
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

/** False if its time was changed in the meantime; a duration stays for the next activity. */
async function skip(deps: DestructionDeps, { id, organizationId, projectId }: Workspace): Promise<boolean> {
  const organization = await organizationOf(deps, organizationId)
  const project = await projectDefaultsOf(deps, projectId)
  const { before, after } = await inTransaction(deps.db, (tx) =>
    changeInTransaction(deps, tx, serverAuthor, { id }, async (workspace) => {
      const at = deps.clock.now()
      if (!isDue(workspace, at)) return undefined
      const { executionMode } = effectiveExecution(workspace, inheritedExecution(organization, project))
      const entry = {
        action: 'skip-auto-destroy',
        before: {
          'auto-destroy-at': maybeIso(workspace.autoDestroyAt),
          'auto-destroy-status': workspace.autoDestroyStatus,
        },
        after: {
          'auto-destroy-at': null,
          'auto-destroy-status': 'skipped',
          reason: skipReason(workspace, executionMode),
        },
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

/** Skips the destruction of workspaces whose time to be destroyed has come. */
export const autoDestroyJob: Job = defineJob({
  name: 'workspaces.auto-destroy',
  every: '1m',
  run: async (deps, { signal }) => {
    const skipped = await skipOverdueDestructions(deps, signal)
    if (skipped > 0) deps.log.info({ skipped }, 'scheduled destructions skipped')
  },
})
