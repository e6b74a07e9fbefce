import type { Instant } from '../../../../kernel/clock.ts'
import { bit } from '../../../../storage/bits.ts'
import type { LockHolder } from '../../workspaces/index.ts'
import type { StateStatus, StateVersion, StateVersionId } from '../state-version.ts'

/** One version of the state of a workspace. */
export interface StateVersionRow {
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

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    state_versions: StateVersionRow
  }
}

/** The columns that change when content arrives; who made a version, and when, stays. */
export const arrivalColumns = [
  'status',
  'size',
  'blob_id',
  'format',
  'tool_version',
  'encrypted',
  'resource_count',
  'resource_count_known',
  'summary',
  'announced_outputs',
] as const satisfies readonly (keyof StateVersionRow)[]

/** All columns of a version. */
export const columns = [
  'id',
  'workspace_id',
  'organization_id',
  'ordinal',
  'serial',
  'md5',
  'lineage',
  'intermediate',
  'lock_generation',
  'created_by_kind',
  'created_by_id',
  'created_by_name',
  'run_id',
  'rolled_back_to',
  'created_at',
  'json_size',
  'json_blob_id',
  'soft_deleted_at',
  ...arrivalColumns,
] as const satisfies readonly (keyof StateVersionRow)[]

/** A row as the version it stores. */
export const toVersion = (row: StateVersionRow): StateVersion => ({
  id: row.id as StateVersionId,
  workspaceId: row.workspace_id,
  organizationId: row.organization_id,
  ordinal: row.ordinal,
  serial: row.serial,
  md5: row.md5,
  lineage: row.lineage,
  status: row.status as StateStatus,
  intermediate: row.intermediate === 1,
  lockGeneration: row.lock_generation,
  createdBy: {
    kind: row.created_by_kind as LockHolder['kind'],
    id: row.created_by_id,
    name: row.created_by_name,
  },
  runId: row.run_id,
  rolledBackTo: row.rolled_back_to,
  createdAt: row.created_at as Instant,
  size: row.size,
  blobId: row.blob_id,
  jsonSize: row.json_size,
  jsonBlobId: row.json_blob_id,
  format: row.format,
  toolVersion: row.tool_version,
  encrypted: row.encrypted === 1,
  resourceCount: row.resource_count,
  resourceCountKnown: row.resource_count_known === 1,
  summary: row.summary,
  announcedOutputs: row.announced_outputs,
  softDeletedAt: row.soft_deleted_at as Instant | null,
})

/** A version as the row that stores it. */
export const toRow = (version: StateVersion): StateVersionRow => ({
  id: version.id,
  workspace_id: version.workspaceId,
  organization_id: version.organizationId,
  ordinal: version.ordinal,
  serial: version.serial,
  md5: version.md5,
  lineage: version.lineage,
  status: version.status,
  intermediate: bit(version.intermediate),
  lock_generation: version.lockGeneration,
  created_by_kind: version.createdBy.kind,
  created_by_id: version.createdBy.id,
  created_by_name: version.createdBy.name,
  run_id: version.runId,
  rolled_back_to: version.rolledBackTo,
  created_at: version.createdAt,
  size: version.size,
  blob_id: version.blobId,
  json_size: version.jsonSize,
  json_blob_id: version.jsonBlobId,
  format: version.format,
  tool_version: version.toolVersion,
  encrypted: bit(version.encrypted),
  resource_count: version.resourceCount,
  resource_count_known: bit(version.resourceCountKnown),
  summary: version.summary,
  announced_outputs: version.announcedOutputs,
  soft_deleted_at: version.softDeletedAt,
})
