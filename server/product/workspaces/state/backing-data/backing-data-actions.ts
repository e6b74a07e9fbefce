import { hidden } from '../../../../access/permissions/index.ts'
import { later } from '../../../../kernel/clock.ts'
import { Failure, failure } from '../../../../kernel/failure.ts'
import { type Author, recordChange, serverAuthor } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { defineJob, type Job, type JobRun } from '../../../../kit/job.ts'
import { workOff } from '../../../../kit/work-off.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { sweepContent } from '../content/content-actions.ts'
import { deleteUnusedContent } from '../content/content-store.ts'
import { deleteOutputs } from '../outputs/output-store.ts'
import { loadStateVersion } from '../records/state-version-store.ts'
import { afterBackingAction, type BackingAction, type StateVersion, stateVersionSubject } from '../state-version.ts'
import { findExpiredVersions, findSoftDeletedVersions, moveBackingData } from './backing-data-store.ts'

type BackingDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store'>

/** Soft-deletes the content of a version, restores it, or deletes it for good; the version itself stays. */
export async function changeBackingData(
  deps: BackingDeps,
  author: Author,
  id: string,
  action: BackingAction,
): Promise<StateVersion> {
  return await inTransaction(deps.db, async (tx) => {
    const version = await loadStateVersion(tx, id)
    if (!version) throw hidden()
    const next = afterBackingAction(version.status, action)
    if (!next) throw notAllowed(version, action)
    if (!(await moveBackingData(tx, version, next, deps.clock.now()))) throw hidden()
    if (next === 'backing_data_permanently_deleted') await removeContent(tx, version)
    await recordChange(deps, tx, author, {
      ...stateVersionSubject(version),
      action: `${action}_backing_data`,
      before: { status: version.status },
      after: { status: next },
    })
    return (await loadStateVersion(tx, id)) ?? version
  })
}

async function removeContent(tx: Tx, { id, workspaceId, blobId, jsonBlobId }: StateVersion): Promise<void> {
  await deleteOutputs(tx, id)
  for (const content of [blobId, jsonBlobId]) {
    if (content !== null) await deleteUnusedContent(tx, { scope: workspaceId, id: content })
  }
}

const notAllowed = ({ status }: StateVersion, action: BackingAction) =>
  failure('invalid', 'state.transition', `Transition not allowed: ${action} of a state version that is ${status}.`, {
    faults: [{ detail: `transition not allowed: ${action} of a state version that is ${status}` }],
  })

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
    const outlived = await changeAll(deps, run, 'soft_delete', (limit) => findExpiredVersions(deps.reads, now, limit))
    const graceStart = later(now, -graceDays * day)
    const deleted = await changeAll(deps, run, 'permanently_delete', (limit) =>
      findSoftDeletedVersions(deps.reads, graceStart, limit),
    )
    const swept = await sweepContent(deps, later(now, -sweepAge), run.signal)
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
