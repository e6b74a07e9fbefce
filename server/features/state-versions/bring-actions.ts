import type { Deps } from '../../kit/deps.ts'
import type { Author } from '../change-log/index.ts'
import type { LockHolder, Workspace } from '../workspaces/index.ts'
import { pruneState } from './analysis/state-analysis-rules.ts'
import { storeContent } from './content/content-actions.ts'
import { contentRefusal, examineContent } from './facts-actions.ts'
import { createStateVersion, requireHeld } from './state-version-actions.ts'
import type { Announcement, StateVersion } from './state-version-rules.ts'

type BringDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'keyring' | 'store' | 'log'>

/** A state as a document brings it: announced, and maybe with its content. */
export type BroughtState = {
  readonly announcement: Announcement
  readonly by: LockHolder
  readonly state: Buffer | undefined
  readonly rendering: Buffer | undefined
  readonly outputs: Buffer | undefined
}

/** Adds a version to a workspace. Content is stored before the version is, so that a crash leaves no version without it. */
export async function bringState(
  deps: BringDeps,
  author: Author,
  workspace: Workspace,
  brought: BroughtState,
): Promise<StateVersion> {
  const { announcement, by, state, rendering } = brought
  requireHeld(deps, workspace, by)
  const announcedOutputs = brought.outputs && readJson(brought.outputs)
  const stored = state && (await storeContent(deps, workspace.id, pieces(state), pruneState))
  const facts = stored && examineContent(deps, announcement, stored, announcedOutputs)
  return await createStateVersion(deps, author, workspace.id, {
    announcement,
    by,
    content: facts && { blobId: stored.blobId, size: stored.size, facts },
    rendering: rendering && (await storeContent(deps, workspace.id, pieces(rendering), () => true)),
    announcedOutputs,
  })
}

const pieceBytes = 64 * 1024

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes)
}

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) throw contentRefusal('Json state outputs are no JSON', 'json-state-outputs')
    throw error
  }
}
