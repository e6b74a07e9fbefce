import { hidden } from '../../../../access/permissions/index.ts'
import { failure } from '../../../../kernel/failure.ts'
import { type Author, recordChange } from '../../../../kit/change-log/index.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { deleteRetentionPolicy } from '../../../people/organizations/index.ts'
import { releaseExpiredLock } from '../locking/lock-actions.ts'
import { lockInForce } from '../locking/lock-rules.ts'
import { wakeFirstWaiter } from '../locking/waiting/lock-queue.ts'
import { deleteWorkspace, holdAtRevision, holdWorkspace, loadWorkspace } from '../records/workspace-store.ts'
import { changedSinceRead } from '../rendering/entity-tags.ts'
import { holdTags } from '../tagging/tag-store.ts'
import { describeWorkspace, workspaceSubject } from '../workspace-changes.ts'
import type { Workspace, WorkspaceId } from '../workspace-rules.ts'
import { contendedText, deletionRefusal, deletionTexts } from './deletion-rules.ts'
import { holdUnchanged } from './deletion-store.ts'

type DeletionDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store'>

const maxTries = 3

/** Removes what a feature keeps for a workspace and no foreign key does, before the workspace itself is removed. */
type RemovalStep = (tx: Tx, workspace: Workspace) => Promise<void>

const removalSteps = perApp<RemovalStep[]>(() => [])

/** Registers a step; features call it when they start. */
export const provideRemovalStep = (deps: Pick<Deps, 'store'>, step: RemovalStep): void =>
  void removalSteps(deps).push(step)

/**
 * Deletes a workspace that nobody holds and that manages nothing. It stays if a state arrives at the same moment or,
 * with a revision, if anything else has changed since.
 */
export async function safeDeleteWorkspace(
  deps: DeletionDeps,
  author: Author,
  id: WorkspaceId,
  revision?: number,
): Promise<void> {
  for (let tries = 0; tries < maxTries; tries++) {
    if (await inTransaction(deps.db, (tx) => deleteIfSafe(deps, tx, author, { id, revision })))
      return wakeFirstWaiter(deps, id)
  }
  throw failure('conflict', 'workspace.changing', contendedText)
}

async function deleteIfSafe(
  deps: DeletionDeps,
  tx: Tx,
  author: Author,
  { id, revision }: { readonly id: WorkspaceId; readonly revision: number | undefined },
): Promise<boolean> {
  const found = await loadWorkspace(tx, id)
  if (!found) throw hidden()
  if (revision !== undefined && found.revision !== revision) throw changedSinceRead()
  const workspace = await withoutEndedLock(deps, tx, found)
  if (!workspace) return false
  const refusal = deletionRefusal(workspace, deps.clock.now())
  if (refusal) throw failure('conflict', `workspace.${refusal}`, deletionTexts[refusal])
  await holdTags(tx, workspace.organizationId)
  const isClaimed =
    revision === undefined ? await holdUnchanged(tx, workspace) : await holdAtRevision(tx, id, workspace.revision)
  return isClaimed && (await removeWorkspace(deps, tx, author, id))
}

/**
 * Releases a lock that has expired: its holder may have left a state that becomes the current one then, and decides
 * what the workspace manages. Undefined when another write came first.
 */
async function withoutEndedLock(deps: DeletionDeps, tx: Tx, workspace: Workspace): Promise<Workspace | undefined> {
  if (!workspace.lock || lockInForce(workspace.lock, deps.clock.now())) return workspace
  await holdTags(tx, workspace.organizationId)
  return await releaseExpiredLock(deps, tx, workspace)
}

/** Removes a workspace with everything in it, locked or not; with a revision, only if nobody has written since. */
export async function forceDeleteWorkspace(
  deps: DeletionDeps,
  author: Author,
  id: WorkspaceId,
  revision?: number,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const workspace = await loadWorkspace(tx, id)
    if (!workspace) throw hidden()
    await holdTags(tx, workspace.organizationId)
    if (revision !== undefined && !(await holdAtRevision(tx, id, revision))) throw changedSinceRead()
    if (!(await removeWorkspace(deps, tx, author, id))) throw hidden()
  })
  wakeFirstWaiter(deps, id)
}

/**
 * Removes a workspace and what other features keep for it, in a transaction of the caller that holds the tags of the
 * organization; false when it was gone already. Requests that are storing something for it are waited for, so that this
 * is removed too.
 */
async function removeWorkspace(deps: DeletionDeps, tx: Tx, author: Author, id: WorkspaceId): Promise<boolean> {
  const workspace = await holdWorkspace(tx, id)
  if (!workspace) return false
  for (const step of removalSteps(deps)) await step(tx, workspace)
  await deleteRetentionPolicy(tx, id)
  if (!(await deleteWorkspace(tx, workspace))) return false
  const change = { ...workspaceSubject(workspace), action: 'delete', before: describeWorkspace(workspace) }
  await recordChange(deps, tx, author, change)
  return true
}
