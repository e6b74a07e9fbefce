import type { Deps } from '../../../kit/deps.ts'
import { isSameHolder, type LockHolder, lockInForce, type Workspace } from '../workspaces/index.ts'
import { loadNewest, loadStateVersion } from './records/state-version-store.ts'
import type { StateVersion } from './state-version-rules.ts'

/**
 * The current state of a workspace: the holder of its lock sees what it has written, everybody else what was released.
 */
export async function currentStateOf(
  deps: Pick<Deps, 'db' | 'clock'>,
  workspace: Workspace,
  reader: LockHolder,
): Promise<StateVersion | undefined> {
  const lock = lockInForce(workspace.lock, deps.clock.now())
  if (lock && isSameHolder(lock.holder, reader)) return await loadNewest(deps.db, workspace.id)
  const id = workspace.currentStateVersionId
  return id === null ? undefined : await loadStateVersion(deps.db, id)
}
