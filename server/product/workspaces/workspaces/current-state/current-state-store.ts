import type { Instant } from '../../../../kernel/clock.ts'
import { bit } from '../../../../storage/bits.ts'
import type { Tx } from '../../../../storage/open.ts'

/** What a workspace shows of its new current state. */
export type CurrentState = {
  readonly stateVersionId: string
  readonly resourceCount: number
  readonly resourceCountKnown: boolean
  readonly at: Instant
  /** When the workspace is to be destroyed after this activity; undefined leaves that as it is. */
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
