import type { Instant } from '../../../kernel/clock.ts'
import { bit } from '../../../storage/bits.ts'
import { hotQuery } from '../../../storage/hot.ts'
import type { Tx } from '../../../storage/open.ts'

/** What a workspace shows of the state that became its current one. */
export type CurrentState = {
  readonly stateVersionId: string
  readonly resourceCount: number
  readonly resourceCountKnown: boolean
  readonly at: Instant
  /** When the workspace is to be destroyed now that it was active; undefined leaves that as it is. */
  readonly autoDestroyAt: Instant | undefined
}

/** Makes a state version the current one of its workspace. */
export async function saveCurrentState(tx: Tx, id: string, state: CurrentState): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set((eb) => ({
      current_state_version_id: state.stateVersionId,
      resource_count: state.resourceCount,
      resource_count_known: bit(state.resourceCountKnown),
      latest_change_at: state.at,
      revision: eb('revision', '+', 1),
      ...(state.autoDestroyAt === undefined
        ? {}
        : { auto_destroy_at: state.autoDestroyAt, auto_destroy_status: 'scheduled' }),
    }))
    .where('id', '=', id)
    .execute()
}

type LockClaim = { id: string; generation: number; now: Instant }

const claim = hotQuery('workspaces.claim-lock', (db, { id, generation, now }: LockClaim) =>
  db
    .updateTable('workspaces')
    .set({ lock_generation: generation })
    .where('id', '=', id)
    .where('lock_generation', '=', generation)
    .where('locked_at', 'is not', null)
    .where((eb) => eb.or([eb('lock_expires_at', 'is', null), eb('lock_expires_at', '>', now)])),
)

/** True if this lock is in force; from here on nobody can change it in this transaction. */
export const claimLock = async (
  tx: Tx,
  { id, lockGeneration }: { readonly id: string; readonly lockGeneration: number },
  now: Instant,
): Promise<boolean> => (await claim.run(tx, { id, generation: lockGeneration, now })) === 1
