import { hidden } from '../../../access/permissions/index.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import type { Author } from '../../change-log/index.ts'
import { removeWorkspace } from '../workspace-actions.ts'
import type { WorkspaceId } from '../workspace-rules.ts'
import { loadWorkspace } from '../workspace-store.ts'
import { changingText, deletionRefusal, deletionTexts } from './deletion-rules.ts'
import { claimUnchanged } from './deletion-store.ts'

type DeletionDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store'>

const mostTries = 3

/** Deletes a workspace that nobody holds and that manages nothing. A state that arrives at the same moment wins. */
export async function safeDeleteWorkspace(deps: DeletionDeps, author: Author, id: WorkspaceId): Promise<void> {
  for (let tries = 0; tries < mostTries; tries++) {
    if (await inTransaction(deps.db, (tx) => deleteIfSafe(deps, tx, author, id))) return
  }
  throw failure('conflict', 'workspace.changing', changingText)
}

type Transaction = Parameters<Parameters<typeof inTransaction>[1]>[0]

async function deleteIfSafe(deps: DeletionDeps, tx: Transaction, author: Author, id: WorkspaceId): Promise<boolean> {
  const workspace = await loadWorkspace(tx, id)
  if (!workspace) throw hidden()
  const refusal = deletionRefusal(workspace, deps.clock.now())
  if (refusal) throw failure('conflict', `workspace.${refusal}`, deletionTexts[refusal])
  return (await claimUnchanged(tx, workspace)) && removeWorkspace(deps, tx, author, workspace)
}
