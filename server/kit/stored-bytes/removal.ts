import { type BlobName, deleteBlob } from '../../storage/blob-store.ts'
import type { Tx } from '../../storage/open.ts'

/**
 * Deletes content that no row refers to any more. It is locked before this is checked: a request that is about to refer
 * to it has claimed it, and is waited for.
 */
export async function deleteUnused(
  tx: Tx,
  { scope, id }: BlobName,
  isReferenced: () => Promise<boolean>,
): Promise<void> {
  await tx.selectFrom('blobs').select('upload').where('scope', '=', scope).where('id', '=', id).forUpdate().execute()
  if (!(await isReferenced())) await deleteBlob(tx, { scope, id })
}
