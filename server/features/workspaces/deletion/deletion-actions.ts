import { hidden } from '../../../access/permissions/index.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import type { Author } from '../../change-log/index.ts'
import { releaseEnded } from '../locking/lock-actions.ts'
import { lockInForce } from '../locking/lock-rules.ts'
import { claimRevision, loadWorkspace } from '../records/workspace-store.ts'
import { changedSince } from '../rendering/entity-tags.ts'
import { holdTags } from '../tagging/tag-store.ts'
import { removeWorkspace } from '../workspace-actions.ts'
import type { Workspace, WorkspaceId } from '../workspace-rules.ts'
import { changingText, deletionRefusal, deletionTexts } from './deletion-rules.ts'
import { claimUnchanged } from './deletion-store.ts'

type DeletionDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store'>

const mostTries = 3

/**
 * Deletes a workspace that nobody holds and that manages nothing. A state that arrives at the same moment wins; with a
 * revision, so does any other change.
 */
export async function safeDeleteWorkspace(
  deps: DeletionDeps,
  author: Author,
  id: WorkspaceId,
  revision?: number,
): Promise<void> {
  for (let tries = 0; tries < mostTries; tries++) {
    if (await inTransaction(deps.db, (tx) => deleteIfSafe(deps, tx, author, { id, revision }))) return
  }
  throw failure('conflict', 'workspace.changing', changingText)
}

async function deleteIfSafe(
  deps: DeletionDeps,
  tx: Tx,
  author: Author,
  { id, revision }: { readonly id: WorkspaceId; readonly revision: number | undefined },
): Promise<boolean> {
  const found = await loadWorkspace(tx, id)
  if (!found) throw hidden()
  if (revision !== undefined && found.revision !== revision) throw changedSince()
  const workspace = await withoutEndedLock(deps, tx, found)
  if (!workspace) return false
  const refusal = deletionRefusal(workspace, deps.clock.now())
  if (refusal) throw failure('conflict', `workspace.${refusal}`, deletionTexts[refusal])
  await holdTags(tx, workspace.organizationId)
  const claimed = revision === undefined ? claimUnchanged(tx, workspace) : claimRevision(tx, id, workspace.revision)
  return (await claimed) && removeWorkspace(deps, tx, author, id)
}

/**
 * A lock that ended by itself may have left a state that becomes the current one with the release, and tells what the
 * workspace manages. Undefined when somebody else wrote in between.
 */
async function withoutEndedLock(deps: DeletionDeps, tx: Tx, workspace: Workspace): Promise<Workspace | undefined> {
  if (!workspace.lock || lockInForce(workspace.lock, deps.clock.now())) return workspace
  await holdTags(tx, workspace.organizationId)
  return await releaseEnded(deps, tx, workspace)
}
