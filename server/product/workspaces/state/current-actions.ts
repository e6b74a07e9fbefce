import { type Failure, failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import {
  currentStateMembers,
  isSameHolder,
  type LockHolder,
  lockInForce,
  type UnlockStep,
  type Workspace,
} from '../workspaces/index.ts'
import {
  claimNothingToRelease,
  discardPending,
  loadForRelease,
  loadNewest,
  loadStateVersion,
  promoteStateVersion,
} from './records/state-version-store.ts'
import type { StateVersion } from './state-version.ts'

/**
 * The current state of a workspace: the holder of its lock sees what it has written, everybody else what was released.
 */
export async function currentStateOf(
  deps: Pick<Deps, 'db' | 'clock'>,
  workspace: Workspace,
  reader: LockHolder,
): Promise<StateVersion | undefined> {
  const lock = lockInForce(workspace.lock, deps.clock.now())
  if (lock && isSameHolder(lock.holder, reader)) return await loadNewest(deps.db, workspace.id)
  const id = workspace.currentStateVersionId
  return id === null ? undefined : await loadStateVersion(deps.db, id)
}

/** What happens to state when a workspace is unlocked: the newest complete version becomes the current one. */
export const releaseStep: UnlockStep = {
  claimNothingToDo: (tx, { id, currentStateVersionId }) => claimNothingToRelease(tx, id, currentStateVersionId),
  inspect: async (deps, tx, workspace) => {
    const { newest, pendingGeneration } = await loadForRelease(tx, workspace.id)
    return {
      // A version announced under an earlier lock is no longer expected.
      refusal: pendingGeneration === workspace.lockGeneration ? uploadPending() : undefined,
      perform: async () => {
        if (pendingGeneration !== undefined) await discardPending(tx, workspace.id, Number.MAX_SAFE_INTEGER)
        if (!newest || newest.id === workspace.currentStateVersionId) return {}
        await promoteStateVersion(tx, newest.id)
        return await currentStateMembers(tx, workspace, {
          currentStateVersionId: newest.id,
          resourceCount: newest.resourceCount,
          resourceCountKnown: newest.resourceCountKnown,
          latestChangeAt: deps.clock.now(),
        })
      },
    }
  },
}

/** Clients search for this text. */
const uploadPending = (): Failure =>
  failure(
    'unavailable',
    'state.pending',
    'The latest state version is still pending: upload its content, or force-unlock to discard it.',
    { retryAfter: 1 },
  )
