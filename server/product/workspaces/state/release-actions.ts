import { type Failure, failure } from '../../../kernel/failure.ts'
import { currentStateMembers, type UnlockStep } from '../workspaces/index.ts'
import {
  claimNothingToRelease,
  discardPending,
  loadForRelease,
  promoteStateVersion,
} from './records/state-version-store.ts'

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
