import type { Instant } from '../../kernel/clock.ts'
import { hotQuery } from '../../storage/hot.ts'
import type { Queryable, Tx } from '../../storage/open.ts'
import type { StateVersionRow } from '../../storage/tables/state-versions.ts'
import type { LockHolder } from '../workspaces/index.ts'
import {
  type StateStatus,
  type StateVersion,
  type StateVersionHead,
  type StateVersionId,
  settledStatuses,
} from './state-version-rules.ts'

/** What is sealed within a row, which may be large. */
const sealedColumns = ['summary', 'announced_outputs'] as const satisfies readonly (keyof StateVersionRow)[]

const settledHeadColumns = [
  'status',
  'size',
  'blob_id',
  'format',
  'tool_version',
  'encrypted',
  'resource_count',
  'resource_count_known',
] as const satisfies readonly (keyof StateVersionRow)[]

/** The columns that change when content arrives; who made a version, and when, does not. */
const settledColumns = [...settledHeadColumns, ...sealedColumns] as const

const headColumns = [
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
  'created_at',
  'json_size',
  'json_blob_id',
  'soft_deleted_at',
  ...settledHeadColumns,
] as const satisfies readonly (keyof StateVersionRow)[]

const columns = [...headColumns, ...sealedColumns] as const

type HeadRow = Pick<StateVersionRow, (typeof headColumns)[number]>

const bit = (value: boolean): number => (value ? 1 : 0)

const toHead = (row: HeadRow): StateVersionHead => ({
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
  softDeletedAt: row.soft_deleted_at as Instant | null,
})

/** A row as the version it stores. */
const toVersion = (row: StateVersionRow): StateVersion => ({
  ...toHead(row),
  summary: row.summary,
  announcedOutputs: row.announced_outputs,
})

const toRow = (version: StateVersion): StateVersionRow => ({
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

const byId = hotQuery<{ id: string }, StateVersionRow>('state-versions.by-id', (db, { id }) =>
  db.selectFrom('state_versions').selectAll().where('id', '=', id),
)

/** The version with this id. */
export async function loadStateVersion(db: Queryable, id: string): Promise<StateVersion | undefined> {
  const row = await byId.first(db, { id })
  return row && toVersion(row)
}

const headById = hotQuery<{ id: string }, HeadRow>('state-versions.head-by-id', (db, { id }) =>
  db.selectFrom('state_versions').select(headColumns).where('id', '=', id),
)

/** The version with this id, without what is sealed within it. */
export async function loadStateVersionHead(db: Queryable, id: string): Promise<StateVersionHead | undefined> {
  const row = await headById.first(db, { id })
  return row && toHead(row)
}

/** The versions with these ids, in no particular order. */
export async function loadStateVersions(db: Queryable, ids: readonly string[]): Promise<StateVersion[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('state_versions').selectAll().where('id', 'in', ids).execute()
  return rows.map(toVersion)
}

type OfWorkspace = { workspaceId: string }

const newestOf = (db: Queryable, workspaceId: string, statuses: readonly StateStatus[]) =>
  db
    .selectFrom('state_versions')
    .where('workspace_id', '=', workspaceId)
    .where('status', 'in', statuses)
    .orderBy('ordinal', 'desc')
    .limit(1)

const newestSettled = hotQuery<OfWorkspace, StateVersionRow>('state-versions.newest-settled', (db, { workspaceId }) =>
  newestOf(db, workspaceId, settledStatuses).selectAll(),
)

const newestSettledHead = hotQuery<OfWorkspace, HeadRow>('state-versions.newest-settled-head', (db, { workspaceId }) =>
  newestOf(db, workspaceId, settledStatuses).select(headColumns),
)

const newestPendingHead = hotQuery<OfWorkspace, HeadRow>('state-versions.newest-pending-head', (db, { workspaceId }) =>
  newestOf(db, workspaceId, ['pending']).select(headColumns),
)

/** The newest version of a workspace whose content arrived. */
export async function loadNewest(db: Queryable, workspaceId: string): Promise<StateVersion | undefined> {
  const row = await newestSettled.first(db, { workspaceId })
  return row && toVersion(row)
}

/** The same without what is sealed within it. */
export async function loadNewestHead(db: Queryable, workspaceId: string): Promise<StateVersionHead | undefined> {
  const row = await newestSettledHead.first(db, { workspaceId })
  return row && toHead(row)
}

/** The newest version of a workspace that is still awaited, without what is sealed within it. */
export async function loadNewestPending(db: Queryable, workspaceId: string): Promise<StateVersionHead | undefined> {
  const row = await newestPendingHead.first(db, { workspaceId })
  return row && toHead(row)
}

const lastOf = hotQuery<OfWorkspace, { ordinal: number }>('state-versions.last-ordinal', (db, { workspaceId }) =>
  db
    .selectFrom('state_versions')
    .select('ordinal')
    .where('workspace_id', '=', workspaceId)
    .orderBy('ordinal', 'desc')
    .limit(1),
)

/** How many versions a workspace has, which is also the ordinal of its last one. */
export const lastOrdinal = async (db: Queryable, workspaceId: string): Promise<number> =>
  (await lastOf.first(db, { workspaceId }))?.ordinal ?? 0

/** One page of the versions of a workspace, newest first, and how many there are. */
export async function listStateVersions(
  db: Queryable,
  of: { readonly workspaceId: string; readonly status: StateStatus | undefined },
  page: { readonly offset: number; readonly size: number },
): Promise<{ versions: StateVersion[]; total: number }> {
  const { workspaceId, status } = of
  const all = db.selectFrom('state_versions').where('workspace_id', '=', workspaceId)
  const wanted = status === undefined ? all : all.where('status', '=', status)
  const rows = await wanted.selectAll().orderBy('ordinal', 'desc').offset(page.offset).limit(page.size).execute()
  return { versions: rows.map(toVersion), total: await totalOf(db, workspaceId, status) }
}

async function totalOf(db: Queryable, workspaceId: string, status: StateStatus | undefined): Promise<number> {
  if (status === undefined) return await lastOrdinal(db, workspaceId)
  const row = await db
    .selectFrom('state_versions')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', status)
    .executeTakeFirst()
  return Number(row?.total ?? 0)
}

/** These members of a row, which are marks while a hot query is built and so cannot be spread. */
const pick = <K extends keyof StateVersionRow>(row: StateVersionRow, names: readonly K[]): Pick<StateVersionRow, K> =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<StateVersionRow, K>

const insert = hotQuery('state-versions.insert', (db, row: StateVersionRow) =>
  db.insertInto('state_versions').values(pick(row, columns)),
)

/** Stores a new version. */
export async function insertStateVersion(tx: Tx, version: StateVersion): Promise<void> {
  await insert.run(tx, toRow(version))
}

const settle = hotQuery('state-versions.settle', (db, row: StateVersionRow) =>
  db
    .updateTable('state_versions')
    .set(pick(row, settledColumns))
    .where('id', '=', row.id)
    .where('status', '=', 'pending'),
)

/** Stores a version whose content has arrived; false when it is no longer pending. */
export const settleStateVersion = async (tx: Tx, version: StateVersion): Promise<boolean> =>
  (await settle.run(tx, toRow(version))) === 1

/** Notes the readable rendering of a version; false when it has one. */
export async function saveRendering(
  tx: Tx,
  id: string,
  content: { readonly blobId: string; readonly size: number },
): Promise<boolean> {
  const result = await tx
    .updateTable('state_versions')
    .set({ json_blob_id: content.blobId, json_size: content.size })
    .where('id', '=', id)
    .where('json_blob_id', 'is', null)
    .where('status', 'in', ['pending', 'finalized'])
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

const discard = hotQuery('state-versions.discard-pending', (db, of: OfWorkspace & { below: number }) =>
  db
    .updateTable('state_versions')
    .set({ status: 'discarded', intermediate: 0, announced_outputs: null })
    .where('workspace_id', '=', of.workspaceId)
    .where('status', '=', 'pending')
    .where('ordinal', '<', of.below),
)

/** Gives up what is still awaited, up to this ordinal. */
export async function discardPending(tx: Tx, workspaceId: string, below: number): Promise<void> {
  await discard.run(tx, { workspaceId, below })
}

/** A version stops being intermediate when the lock it was written under is released. */
export async function promoteStateVersion(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('state_versions').set({ intermediate: 0 }).where('id', '=', id).execute()
}
