import type { Instant } from '../../../../kernel/clock.ts'
import { lockInForce } from '../locking/lock.ts'
import type { Workspace } from '../workspace.ts'

/** Why a workspace is not safe to delete. */
type DeletionRefusal = 'locked' | 'manages-resources'

/** What prevents a safe deletion, the first reason only; undefined when nothing does. */
export function deletionRefusal(workspace: Workspace, now: Instant): DeletionRefusal | undefined {
  if (lockInForce(workspace.lock, now)) return 'locked'
  return workspace.resourceCountKnown && workspace.resourceCount === 0 ? undefined : 'manages-resources'
}

/**
 * Clients search these texts: "locked" and "being processed" have special meanings to them, so the text about managed
 * resources must contain neither.
 */
export const deletionTexts: Readonly<Record<DeletionRefusal, string>> = {
  locked: 'The workspace is locked. Unlock it, then delete it.',
  'manages-resources':
    'The workspace manages resources, or its state cannot be read to tell. Destroy them first, or force delete the workspace.',
}
