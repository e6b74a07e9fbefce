import { hidden } from '../../../../access/permissions/index.ts'
import { failure } from '../../../../kernel/failure.ts'
import { type Author, recordChange } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { deleteUnusedContent } from '../content/content-store.ts'
import { deleteOutputs } from '../outputs/output-store.ts'
import { loadStateVersion } from '../records/state-version-store.ts'
import {
  afterBackingAction,
  type BackingAction,
  type StateVersion,
  stateVersionSubject,
} from '../state-version-rules.ts'
import { moveBackingData } from './backing-data-store.ts'

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
