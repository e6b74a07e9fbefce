import { hidden } from '../../../access/permissions/index.ts'
import { failure } from '../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import type { Queryable } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import type { Author } from '../../change-log/index.ts'
import { removeWorkspace } from '../workspace-actions.ts'
import type { Workspace, WorkspaceId } from '../workspace-rules.ts'
import { loadWorkspace } from '../workspace-store.ts'
import { deletionRefusal, deletionTexts } from './deletion-rules.ts'
import { claimUnchanged } from './deletion-store.ts'

/** Tells whether the newest state of a workspace is not yet read; kept by those who store state. */
export type StateProbe = (db: Queryable, workspace: Workspace) => Promise<boolean>

const probes = perApp<StateProbe[]>(() => [])

/** Lets safe deletion know about states that are not read yet. */
export const provideStateProbe = (deps: Pick<Deps, 'store'>, probe: StateProbe): void => void probes(deps).push(probe)

type DeletionDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store'>

const mostTries = 3

/** Deletes a workspace that nobody holds and that manages nothing. A state that arrives at the same moment wins. */
export async function safeDeleteWorkspace(deps: DeletionDeps, author: Author, id: WorkspaceId): Promise<void> {
  for (let tries = 0; tries < mostTries; tries++) {
    if (await inTransaction(deps.db, (tx) => deleteIfSafe(deps, tx, author, id))) return
  }
  throw failure('conflict', 'workspace.changing', 'The workspace is being processed by somebody else; try again.')
}

type Transaction = Parameters<Parameters<typeof inTransaction>[1]>[0]

async function deleteIfSafe(deps: DeletionDeps, tx: Transaction, author: Author, id: WorkspaceId): Promise<boolean> {
  const workspace = await loadWorkspace(tx, id)
  if (!workspace) throw hidden()
  const waiting = await Promise.all(probes(deps).map((probe) => probe(tx, workspace)))
  const refusal = deletionRefusal(workspace, { stateBeingProcessed: waiting.includes(true), now: deps.clock.now() })
  if (refusal) throw failure('conflict', `workspace.${refusal}`, deletionTexts[refusal])
  return (await claimUnchanged(tx, workspace)) && removeWorkspace(deps, tx, author, workspace)
}
