import { hidden } from '../../../../access/permissions/index.ts'
import { failure } from '../../../../kernel/failure.ts'
import { type Author, recordChange } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { partsOf } from '../../../../kit/parts.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { deleteRetentionPolicy } from '../../../people/organizations/index.ts'
import { requireRevision } from '../document-actions.ts'
import { releaseExpiredLock } from '../locking/lock-actions.ts'
import { wakeFirstWaiter } from '../locking/lock-queue-actions.ts'
import { lockTagsForUpdate } from '../tagging/tag-store.ts'
import { describeWorkspace, type Workspace, workspaceSubject } from '../workspace.ts'
import { deleteWorkspace, lockWorkspaceForUpdate } from '../workspace-store.ts'
import { deletionRefusal, deletionTexts } from './deletion.ts'

type DeletionDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store' | 'parts' | 'keyring'>

declare module '../../../../kit/parts.ts' {
  interface FeatureParts {
    /** Removes what a feature keeps for a workspace and no foreign key does, before the workspace itself is removed. */
    removalStep: (tx: Tx, workspace: Workspace) => Promise<void>
  }
}

/**
 * Deletes a workspace that nobody holds and that manages nothing; with a revision, only if nobody has written to it since.
 */
export async function safeDeleteWorkspace(
  deps: DeletionDeps,
  author: Author,
  workspace: Workspace,
  revision?: number,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const { id } = await lockAsRead(tx, workspace, revision)
    // The holder of a lock that has expired may have left a state that becomes the current one now, and decides what the
    // workspace manages.
    const { after } = await releaseExpiredLock(deps, tx, id)
    const refusal = deletionRefusal(after, deps.clock.now())
    if (refusal) throw failure('conflict', `workspace.${refusal}`, deletionTexts[refusal])
    await removeWorkspace(deps, tx, author, after)
  })
  wakeFirstWaiter(deps, workspace.id)
}

/** Removes a workspace with everything in it, locked or not; with a revision, only if nobody has written since. */
export async function forceDeleteWorkspace(
  deps: DeletionDeps,
  author: Author,
  workspace: Workspace,
  revision?: number,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await removeWorkspace(deps, tx, author, await lockAsRead(tx, workspace, revision))
  })
  wakeFirstWaiter(deps, workspace.id)
}

/**
 * The workspace, which nobody else can change before the transaction ends. Requests that are storing something for it are
 * waited for, so that this is removed too.
 */
async function lockAsRead(tx: Tx, { id, organizationId }: Workspace, revision: number | undefined): Promise<Workspace> {
  await lockTagsForUpdate(tx, organizationId)
  const workspace = await lockWorkspaceForUpdate(tx, id)
  if (!workspace) throw hidden()
  requireRevision(workspace, revision)
  return workspace
}

/** Removes a locked workspace and what other features keep for it. */
async function removeWorkspace(deps: DeletionDeps, tx: Tx, author: Author, workspace: Workspace): Promise<void> {
  for (const step of partsOf(deps, 'removalStep')) await step(tx, workspace)
  await deleteRetentionPolicy(tx, workspace.id)
  if (!(await deleteWorkspace(tx, workspace))) throw hidden()
  const change = { ...workspaceSubject(workspace), action: 'delete', before: describeWorkspace(workspace) }
  await recordChange(deps, tx, author, change)
}
