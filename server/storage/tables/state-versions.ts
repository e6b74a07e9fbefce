/** One version of the state of a workspace. */
export type StateVersionRow = {
  id: string
  workspace_id: string
  organization_id: string
  /** Counts the versions of a workspace from 1; rows are never removed alone, so the largest is how many there are. */
  ordinal: number
  /** What the writer announced; the file itself may say something else. */
  serial: number
  md5: string
  lineage: string | null
  /** `pending`, `finalized`, `discarded`, `backing_data_soft_deleted` or `backing_data_permanently_deleted`. */
  status: string
  /** 1 until the lock it was written under is released. */
  intermediate: number
  /** The generation of the lock it was allowed under. */
  lock_generation: number
  created_by_kind: string
  created_by_id: string
  created_by_name: string
  run_id: string | null
  /** The version whose content a rollback copied; null for versions that were sent. */
  rolled_back_to: string | null
  created_at: number
  /** Bytes of the file as it was sent. */
  size: number
  /** Content within the scope of the workspace; null until it has arrived and after it was deleted. */
  blob_id: string | null
  json_size: number
  json_blob_id: string | null
  /** The format number of the file; null where it cannot be read. */
  format: number | null
  tool_version: string | null
  encrypted: number
  resource_count: number
  resource_count_known: number
  /** Sealed JSON: modules, providers and resources. */
  summary: Uint8Array | null
  /** Sealed JSON of the outputs that were announced with a pending version. */
  announced_outputs: Uint8Array | null
  soft_deleted_at: number | null
}

/** An output of a state version; the value is sealed JSON. */
export type StateVersionOutputRow = {
  id: string
  state_version_id: string
  position: number
  name: string
  sensitive: number
  type: string
  /** JSON of the type expression; null where the file does not say. */
  detailed_type: string | null
  value: Uint8Array
}

/** The tables of state versions. */
export type StateVersionTables = {
  state_versions: StateVersionRow
  state_version_outputs: StateVersionOutputRow
}
