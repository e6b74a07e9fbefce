import { parseExact } from '../../../kernel/exact-json.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Author } from '../../change-log/index.ts'
import type { LockHolder, Workspace } from '../../workspaces/index.ts'
import { discardOnError, takeWhole } from '../content/intake-actions.ts'
import { contentRefusal, examineContent } from '../facts-actions.ts'
import type { Announcement, StateVersion } from '../state-version-rules.ts'
import { createStateVersion, requireLockHolder } from './state-version-actions.ts'

type AddDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'keyring' | 'store' | 'log'>

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
  deps: AddDeps,
  author: Author,
  workspace: Workspace,
  brought: SentState,
): Promise<StateVersion> {
  const { announcement, by, state, rendering } = brought
  requireLockHolder(deps, workspace, by)
  const announcedOutputs = brought.outputs && readAnnouncedOutputs(brought.outputs)
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
  throw contentRefusal('Json state outputs are no object', 'json-state-outputs')
}

function parseOrRefuse(bytes: Buffer): unknown {
  try {
    return parseExact(bytes.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw contentRefusal('Json state outputs are no JSON', 'json-state-outputs')
    throw error
  }
}
