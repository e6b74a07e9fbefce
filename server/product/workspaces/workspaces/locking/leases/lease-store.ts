import type { Instant } from '../../../../../kernel/clock.ts'
import type { Tx } from '../../../../../storage/open.ts'
import type { Workspace } from '../../workspace-rules.ts'

/**
 * Lets the lock that was read end later. The lock stays the same one, so what its holder writes is still accepted. False
 * means that it has changed hands, or that it ends later already.
 */
export async function postponeLockEnd(tx: Tx, { id, lockGeneration }: Workspace, expiresAt: Instant): Promise<boolean> {
  const result = await tx
    .updateTable('workspaces')
    .set((eb) => ({ lock_expires_at: expiresAt, revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .where('lock_generation', '=', lockGeneration)
    .where('lock_expires_at', '<', expiresAt)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
