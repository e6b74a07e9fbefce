import { later } from '../../../../kernel/clock.ts'
import { Failure } from '../../../../kernel/failure.ts'
import { serverAuthor } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { defineJob, type Job, type JobRun } from '../../../../kit/job.ts'
import { workOff } from '../../../../kit/work-off.ts'
import { sweepContent } from '../content/sweep-actions.ts'
import type { BackingAction } from '../state-version-rules.ts'
import { changeBackingData } from './backing-data-actions.ts'
import { findExpiredVersions, findSoftDeletedVersions } from './backing-data-store.ts'

const day = 86_400_000

/** How long soft-deleted content can be restored. */
const graceDays = 7

/** Unused content older than this is removed; uploads in progress are younger. */
const sweepAge = 2 * day

/** Applies retention policies, and removes content that no version refers to. */
export const retentionJob: Job = defineJob({
  name: 'state-versions.retention',
  every: '24h',
  jitter: '1h',
  lease: '5m',
  run: async (deps, run) => {
    const now = deps.clock.now()
    const outlived = await changeAll(deps, run, 'soft_delete', (limit) => findExpiredVersions(deps.db, now, limit))
    const graceStart = later(now, -graceDays * day)
    const deleted = await changeAll(deps, run, 'permanently_delete', (limit) =>
      findSoftDeletedVersions(deps.db, graceStart, limit),
    )
    const swept = await sweepContent(deps.db, later(now, -sweepAge), run.signal)
    if (outlived + deleted + swept > 0) deps.log.info({ outlived, deleted, swept }, 'old state removed')
  },
})

async function changeAll(
  deps: Deps,
  { signal }: Pick<JobRun, 'signal'>,
  action: BackingAction,
  find: (limit: number) => Promise<readonly string[]>,
): Promise<number> {
  const changed = await workOff(deps, {
    find,
    handle: (id) => changeOne(deps, id, action),
    problem: 'could not remove an old state',
    signal,
  })
  signal.throwIfAborted()
  return changed
}

/** False when somebody else changed the version meanwhile. */
async function changeOne(deps: Deps, id: string, action: BackingAction): Promise<boolean> {
  try {
    await changeBackingData(deps, serverAuthor, id, action)
    return true
  } catch (error) {
    if (error instanceof Failure && (error.kind === 'invalid' || error.kind === 'missing')) return false
    throw error
  }
}
