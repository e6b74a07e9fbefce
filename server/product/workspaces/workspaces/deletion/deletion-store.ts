import type { Tx } from '../../../../storage/open.ts'
import type { Workspace } from '../workspace-rules.ts'

/** True if lock and state are still as they were read; nobody else can change them before this transaction ends. */
export async function holdUnchanged(tx: Tx, workspace: Workspace): Promise<boolean> {
  const result = await tx
    .updateTable('workspaces')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', workspace.id)
    .where('lock_generation', '=', workspace.lockGeneration)
    .where('resource_count', '=', workspace.resourceCount)
    .where(
      'current_state_version_id',
      workspace.currentStateVersionId === null ? 'is' : '=',
      workspace.currentStateVersionId,
    )
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
