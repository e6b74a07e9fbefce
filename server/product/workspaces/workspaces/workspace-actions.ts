import { hidden } from '../../../access/permissions/index.ts'
import { type Author, type Members, recordChange, recordUpdate } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { keepDocuments } from './document-actions.ts'
import { rememberStored } from './known-workspaces-store.ts'
import { type Workspace, workspaceSubject } from './workspace.ts'
import { type ChangedMembers, lockWorkspaceForUpdate, swapWorkspace } from './workspace-store.ts'

/** What changing workspaces needs. */
export type ChangeDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'ids'>

/** An entry of the change log about a workspace; the author is that of the change, unless it names another. */
export type Entry = {
  readonly action: string
  readonly before?: Members
  readonly after?: Members
  readonly author?: Author
}

/** What becomes of a workspace: its new members, and what the change log tells about it. */
export type WorkspaceChange = {
  readonly members: ChangedMembers
  /** Settings before and after; recorded as far as they differ. */
  readonly update?: { readonly before: Members; readonly after: Members }
  readonly entries?: readonly Entry[]
}

/**
 * Decides what becomes of a workspace that nobody else can change meanwhile; throws to refuse. It may only await queries
 * on `tx`, by which it also writes what belongs to the change and is stored elsewhere. Undefined leaves the workspace as
 * it is.
 */
export type Decide = (workspace: Workspace, tx: Tx) => Promise<WorkspaceChange | undefined>

/** The workspace to change, and whether the call is still allowed on what it has become since it was seen. */
export type Changeable = { readonly id: string; readonly allows?: (current: Workspace) => boolean }

/** Changes a workspace: the one way to do so, but for those that change many at once. */
export async function changeWorkspace(
  deps: ChangeDeps,
  author: Author,
  target: Changeable,
  decide: Decide,
): Promise<Workspace> {
  const { before, after } = await inTransaction(deps.db, (tx) => changeInTransaction(deps, tx, author, target, decide))
  return handOn(deps, before, after)
}

/** The same in a transaction of the caller. Returns the workspace as it was, too. */
export async function changeInTransaction(
  deps: ChangeDeps,
  tx: Tx,
  author: Author,
  { id, allows = () => true }: Changeable,
  decide: Decide,
): Promise<{ readonly before: Workspace; readonly after: Workspace }> {
  const before = await lockWorkspaceForUpdate(tx, id)
  if (!before || !allows(before)) throw hidden()
  const change = await decide(before, tx)
  if (!change) return { before, after: before }
  const after = await swapWorkspace(tx, before, change.members)
  if (!after) throw new Error(`Workspace ${id} changed while its row was locked`)
  await recordWorkspaceChange(deps, tx, author, after, change)
  return { before, after }
}

/** Records a change of a workspace. */
export async function recordWorkspaceChange(
  deps: ChangeDeps,
  tx: Tx,
  author: Author,
  workspace: Workspace,
  { update, entries = [] }: Omit<WorkspaceChange, 'members'>,
): Promise<void> {
  const subject = workspaceSubject(workspace)
  if (update) await recordUpdate(deps, tx, author, { ...subject, ...update })
  for (const { author: other, ...entry } of entries)
    await recordChange(deps, tx, other ?? author, { ...subject, ...entry })
}

/** Keeps a workspace in memory as it was just committed, with its documents if only the lock has changed. */
export function handOn(deps: Pick<Deps, 'db'>, before: Workspace, after: Workspace): Workspace {
  if (after === before) return after
  rememberStored(deps.db, after)
  keepDocuments(before, after)
  return after
}
