/** A version per area of cached data; it moves with every change to that area. */
export type VersionRow = { area: string; version: number }

/** A mark left by a transaction, by which a lost answer to its COMMIT is settled. */
export type OperationRow = { id: string; created_at: number }

/** A stored stream of bytes. `id` is null until the last chunk has arrived. */
export type BlobRow = {
  upload: string
  scope: string
  id: string | null
  size: number
  chunks: number
  created_at: number
}

/** A piece of a blob, at most 256 KiB. */
export type BlobChunkRow = { upload: string; seq: number; bytes: Uint8Array }

/** The tables that the store keeps for itself. */
export type StorageTables = {
  versions: VersionRow
  operations: OperationRow
  blobs: BlobRow
  blob_chunks: BlobChunkRow
}
