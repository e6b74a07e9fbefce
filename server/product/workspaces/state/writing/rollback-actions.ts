import { failure } from '../../../../kernel/failure.ts'
import type { Author } from '../../../../kit/change-log/index.ts'
import { keepStoredContent } from '../../../../kit/stored-bytes/index.ts'
import type { LockHolder, Workspace } from '../../workspaces/index.ts'
import { openPackedSummary } from '../facts-actions.ts'
import { openOutput } from '../outputs/output-actions.ts'
import { loadOutputs } from '../outputs/output-store.ts'
import { loadStateVersion } from '../records/state-version-store.ts'
import type { StateVersion } from '../state-version.ts'
import { createStateVersion, type StateDeps } from './state-version-actions.ts'

/** The old version to bring back, and who asks. */
export type Rollback = {
  readonly workspace: Workspace
  readonly id: string
  readonly by: LockHolder
  /** The version that must still be the newest; any may be if it is undefined. */
  readonly after?: string | undefined
}

/**
 * Adds a version with the content of an old one. It keeps the serial of that content: the tool counts on from the
 * serial in the file, and would be refused if the workspace announced a greater one.
 */
export async function rollbackState(
  deps: StateDeps,
  author: Author,
  { workspace, id, by, after }: Rollback,
): Promise<StateVersion> {
  const old = await loadStateVersion(deps.db, id)
  if (old?.workspaceId !== workspace.id || old.status !== 'finalized' || old.blobId === null) throw noSuchVersion(id)
  const outputs = (await loadOutputs(deps.db, old.id)).map((output) => openOutput(deps, output, 'all'))
  const { serial, md5, lineage, jsonBlobId } = old
  return await createStateVersion(deps, author, workspace, {
    announcement: { serial, md5, lineage, force: true, after },
    by,
    content: {
      blobId: old.blobId,
      size: old.size,
      keep: keepStoredContent(deps, workspace.id, old.blobId),
      facts: { ...old, summary: openPackedSummary(deps, old), outputs },
    },
    rendering:
      jsonBlobId === null
        ? undefined
        : { blobId: jsonBlobId, size: old.jsonSize, keep: keepStoredContent(deps, workspace.id, jsonBlobId) },
    announcedOutputs: undefined,
    copyOf: old.id,
  })
}

function noSuchVersion(id: string) {
  const detail = `Rollback state version ${id} was not found in this workspace, or its content was deleted`
  const pointer = '/data/relationships/rollback-state-version'
  return failure('invalid', 'state.rollback', detail, { faults: [{ detail, pointer }] })
}
