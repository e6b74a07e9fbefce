import { hidden } from '../../../../../access/permissions/index.ts'
import { failure } from '../../../../../kernel/failure.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import { untilWritten } from '../../../../../kit/until-written.ts'
import type { Tx } from '../../../../../storage/open.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { rememberStored } from '../../records/known-workspaces-store.ts'
import { loadWorkspace } from '../../records/workspace-store.ts'
import type { Workspace } from '../../workspace-rules.ts'
import type { SeenWorkspace } from '../lock-actions.ts'
import { decideExtension, type Extension } from './lease-rules.ts'
import { postponeLockEnd } from './lease-store.ts'

type LeaseDeps = Pick<Deps, 'db' | 'clock'>

/**
 * Lets the lock of the caller end later. Holders do this every few minutes, so the change log has no entry for it; it
 * tells of the lock and of its end.
 */
export async function extendLock(deps: LeaseDeps, seen: SeenWorkspace, asked: Extension): Promise<Workspace> {
  const extended = await untilWritten(
    () => inTransaction(deps.db, (tx) => tryExtension(deps, tx, seen, asked)),
    () => failure('conflict', 'lock.contended', 'The workspace lock is changing hands; try again.'),
  )
  rememberStored(deps.db, extended)
  return extended
}

/** Undefined if the lock changed between the reading and the writing. */
async function tryExtension(
  { clock }: LeaseDeps,
  tx: Tx,
  { workspace: { id }, allows }: SeenWorkspace,
  asked: Extension,
): Promise<Workspace | undefined> {
  const workspace = await loadWorkspace(tx, id)
  if (!workspace || !allows(workspace)) throw hidden()
  const decision = decideExtension(workspace.lock, asked, clock.now())
  if (!decision.ok) throw failure('conflict', `lock.${decision.why}`, decision.text)
  if (workspace.lock?.expiresAt === decision.expiresAt) return workspace
  return (await postponeLockEnd(tx, workspace, decision.expiresAt)) ? await loadWorkspace(tx, id) : undefined
}
