import type { Instant } from '../../../kernel/clock.ts'
import { lockInForce } from '../locking/lock-rules.ts'
import type { Workspace } from '../workspace-rules.ts'

/** Why a workspace is not safe to delete. */
export type DeletionRefusal = 'locked' | 'being-processed' | 'manages-resources'

/** The facts a safe deletion looks at beside the workspace itself. */
export type DeletionFacts = { readonly stateBeingProcessed: boolean; readonly now: Instant }

/** What stands in the way of a safe deletion, in the order in which it is told; undefined when nothing does. */
export function deletionRefusal(
  workspace: Workspace,
  { stateBeingProcessed, now }: DeletionFacts,
): DeletionRefusal | undefined {
  if (lockInForce(workspace.lock, now)) return 'locked'
  if (stateBeingProcessed) return 'being-processed'
  return workspace.resourceCountKnown && workspace.resourceCount === 0 ? undefined : 'manages-resources'
}

/**
 * Clients search these texts: "locked" and "being processed" have a meaning of their own to them, so the third holds
 * neither word.
 */
export const deletionTexts: Readonly<Record<DeletionRefusal, string>> = {
  locked: 'The workspace is locked. Unlock it, then delete it.',
  'being-processed': 'The latest state of the workspace is still being processed. Try again in a moment.',
  'manages-resources':
    'The workspace manages resources, or its state cannot be read to tell. Destroy them first, or force delete the workspace.',
}
