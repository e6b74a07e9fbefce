import { parseExact } from '../../../../kernel/exact-json.ts'
import type { Author } from '../../../../kit/change-log/index.ts'
import { discardOnError } from '../../../../kit/stored-bytes/index.ts'
import type { LockHolder, Workspace } from '../../workspaces/index.ts'
import { takeWhole } from '../content/intake-actions.ts'
import { contentRefusal, examineContent } from '../facts-actions.ts'
import type { Announcement, StateVersion } from '../state-version.ts'
import { createStateVersion, requireLockHolder, type StateDeps } from './state-version-actions.ts'

/** A state as a document sends it: announced, possibly with its content. */
export type SentState = {
  readonly announcement: Announcement
  readonly by: LockHolder
  readonly state: Buffer | undefined
  readonly rendering: Buffer | undefined
  readonly outputs: Buffer | undefined
}

/**
 * Adds a version to a workspace. Content is stored with it or before it, so that a crash leaves no version without
 * content.
 */
export async function addState(
  deps: StateDeps,
  author: Author,
  workspace: Workspace,
  sent: SentState,
): Promise<StateVersion> {
  const { announcement, by, state, rendering, outputs } = sent
  requireLockHolder(deps, workspace, by)
  const announcedOutputs = outputs && readAnnouncedOutputs(outputs)
  const stored = state && (await takeWhole(deps, workspace.id, state, 'state'))
  return await discardOnError(stored, async () => {
    const facts = stored && examineContent(deps, announcement, stored, announcedOutputs)
    const rendered = rendering && (await takeWhole(deps, workspace.id, rendering, 'json'))
    return await discardOnError(rendered, () =>
      createStateVersion(deps, author, workspace, {
        announcement,
        by,
        content: facts && { ...stored, facts },
        rendering: rendered,
        announcedOutputs,
      }),
    )
  })
}

/** Outputs by name, or null if there are none. */
function readAnnouncedOutputs(bytes: Buffer): unknown {
  const outputs = parseOrRefuse(bytes)
  if (typeof outputs === 'object' && !Array.isArray(outputs)) return outputs
  throw contentRefusal('Json state outputs must be an object of outputs by name', 'json-state-outputs')
}

function parseOrRefuse(bytes: Buffer): unknown {
  try {
    return parseExact(bytes.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw contentRefusal('Json state outputs must be JSON', 'json-state-outputs')
    throw error
  }
}
