import { deleteUnused } from '../../../../kit/stored-bytes/index.ts'
import type { Tx } from '../../../../storage/open.ts'
import { type Artifact, type ArtifactName, artifactNames } from './job.ts'
import { artifactScope, deleteArtifactRows, isStoredUsed } from './job-store.ts'

/** Removes stored bytes that nothing refers to any more. */
export const dropStored = (tx: Tx, { workspaceId, blobId }: Pick<Artifact, 'workspaceId' | 'blobId'>): Promise<void> =>
  deleteUnused(tx, { scope: artifactScope(workspaceId), id: blobId }, () => isStoredUsed(tx, workspaceId, blobId))

/** Removes what was stored for a run; under these names, or all of it. */
export async function dropArtifacts(
  tx: Tx,
  runId: string,
  names: readonly ArtifactName[] = artifactNames,
): Promise<void> {
  for (const dropped of await deleteArtifactRows(tx, runId, names)) await dropStored(tx, dropped)
}
