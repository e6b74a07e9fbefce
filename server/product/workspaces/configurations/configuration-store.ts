import type { Instant } from '../../../kernel/clock.ts'
import { type ColumnsOf, rowReader, rowWriter } from '../../../kit/field-set.ts'
import { removedIds } from '../../../kit/removals/index.ts'
import type { StoredContent } from '../../../kit/stored-bytes/index.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import type { LockHolder } from '../workspaces/index.ts'
import type {
  ConfigurationId,
  ConfigurationStatus,
  ConfigurationVersion,
  StatusTimes,
  UsableConfiguration,
} from './configuration.ts'
import { facts, settings } from './configuration-fields.ts'

/** A version of the configuration of a workspace. */
interface ConfigurationRow extends ColumnsOf<typeof settings.fields>, ColumnsOf<typeof facts.fields> {
  id: string
  workspace_id: string
  organization_id: string
  ordinal: number
  status: string
  blob_id: string | null
  created_by_kind: string
  created_by_id: string
  created_by_name: string
  created_at: number
  /** JSON: times in milliseconds by the names that documents have for them. */
  status_timestamps: string
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    configuration_versions: ConfigurationRow
  }
}

const toVersion: (row: ConfigurationRow) => ConfigurationVersion = rowReader([settings, facts], {
  id: (row) => row.id as ConfigurationId,
  workspaceId: (row) => row.workspace_id,
  organizationId: (row) => row.organization_id,
  ordinal: (row) => row.ordinal,
  status: (row) => row.status as ConfigurationStatus,
  blobId: (row) => row.blob_id,
  createdBy: (row) => ({
    kind: row.created_by_kind as LockHolder['kind'],
    id: row.created_by_id,
    name: row.created_by_name,
  }),
  createdAt: (row) => row.created_at as Instant,
  times: (row) => JSON.parse(row.status_timestamps) as StatusTimes,
})

const toRow: (version: ConfigurationVersion) => ConfigurationRow = rowWriter([settings, facts], {
  id: ({ id }) => id,
  workspace_id: ({ workspaceId }) => workspaceId,
  organization_id: ({ organizationId }) => organizationId,
  ordinal: ({ ordinal }) => ordinal,
  status: ({ status }) => status,
  blob_id: ({ blobId }) => blobId,
  created_by_kind: ({ createdBy }) => createdBy.kind,
  created_by_id: ({ createdBy }) => createdBy.id,
  created_by_name: ({ createdBy }) => createdBy.name,
  created_at: ({ createdAt }) => createdAt,
  status_timestamps: ({ times }) => JSON.stringify(times),
})

/** The configuration version with this id. */
export async function loadConfiguration(db: Queryable, id: string): Promise<ConfigurationVersion | undefined> {
  const row = await db
    .selectFrom('configuration_versions')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', 'not in', removedIds(db, 'organization'))
    .executeTakeFirst()
  return row && toVersion(row)
}

/** The configuration versions with these ids, in no particular order. */
export async function loadConfigurations(db: Queryable, ids: readonly string[]): Promise<ConfigurationVersion[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('configuration_versions').selectAll().where('id', 'in', ids).execute()
  return rows.map(toVersion)
}

/** One page of the configuration versions of a workspace, newest first, and how many there are. */
export async function listConfigurations(
  db: Queryable,
  workspaceId: string,
  range: { readonly offset: number; readonly limit: number },
): Promise<{ versions: ConfigurationVersion[]; total: number }> {
  const all = db.selectFrom('configuration_versions').where('workspace_id', '=', workspaceId)
  const rows = await all.selectAll().orderBy('ordinal', 'desc').offset(range.offset).limit(range.limit).execute()
  const counted = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst()
  return { versions: rows.map(toVersion), total: Number(counted?.total ?? 0) }
}

/** The newest version of a workspace that a run without a version of its own can begin with. */
export async function newestUsable(db: Queryable, workspaceId: string): Promise<UsableConfiguration | undefined> {
  const row = await db
    .selectFrom('configuration_versions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'uploaded')
    .where('speculative', '=', 0)
    .where('provisional', '=', 0)
    .orderBy('ordinal', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toVersion(row)
}

/** The newest version of a workspace that was current at once. */
export async function newestCurrent(db: Queryable, workspaceId: string): Promise<ConfigurationVersion | undefined> {
  const row = await db
    .selectFrom('configuration_versions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('speculative', '=', 0)
    .where('provisional', '=', 0)
    .orderBy('ordinal', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toVersion(row)
}

/** The ordinal of the newest version of a workspace; 0 if it has none. */
export async function lastOrdinal(tx: Tx, workspaceId: string): Promise<number> {
  const row = await tx
    .selectFrom('configuration_versions')
    .select('ordinal')
    .where('workspace_id', '=', workspaceId)
    .orderBy('ordinal', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.ordinal ?? 0
}

/** Stores a new version. */
export async function insertConfiguration(tx: Tx, version: ConfigurationVersion): Promise<void> {
  await tx.insertInto('configuration_versions').values(toRow(version)).execute()
}

/** Locks a version until the transaction ends, and returns it as it is now. */
export async function lockConfiguration(tx: Tx, id: string): Promise<ConfigurationVersion | undefined> {
  const row = await tx
    .selectFrom('configuration_versions')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', 'not in', removedIds(tx, 'organization'))
    .forUpdate()
    .executeTakeFirst()
  return row && toVersion(row)
}

/** Keeps the content of a version as it is until the transaction ends; false if there is none by now. */
export async function keepContent(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('configuration_versions')
    .select('status')
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  return row?.status === 'uploaded'
}

/** Stores the status of a version, and what its content is. */
export async function saveContent(tx: Tx, version: ConfigurationVersion): Promise<void> {
  const { status, size, sha256, file_count, blob_id, status_timestamps } = toRow(version)
  await tx
    .updateTable('configuration_versions')
    .set({ status, size, sha256, file_count, blob_id, status_timestamps })
    .where('id', '=', version.id)
    .execute()
}

/** The scope of stored bytes that holds the archives of a workspace. */
export const archiveScope = (workspaceId: string): string => `configurations:${workspaceId}`

/** Where the archive of a version is stored. */
export async function findArchive(
  db: Queryable,
  { workspaceId, blobId, size }: Pick<ConfigurationVersion, 'workspaceId' | 'blobId' | 'size'>,
): Promise<StoredContent | undefined> {
  if (blobId === null || size === null) return undefined
  const row = await db
    .selectFrom('blobs')
    .select(['upload', 'chunks'])
    .where('scope', '=', archiveScope(workspaceId))
    .where('id', '=', blobId)
    .executeTakeFirst()
  return row && { ...row, size }
}

/** True if a version of the workspace refers to this archive. */
export async function isArchiveUsed(tx: Tx, workspaceId: string, blobId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('configuration_versions')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('blob_id', '=', blobId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const runsOf = (db: Queryable, id: string) =>
  db.selectFrom('runs').select('id').where('configuration_version_id', '=', id).limit(1)

/** True if a run was created with this version. */
export const hasRun = async (db: Queryable, id: string): Promise<boolean> =>
  (await runsOf(db, id).executeTakeFirst()) !== undefined

/** True if a run of this version has not ended. */
export const hasOpenRun = async (db: Queryable, id: string): Promise<boolean> =>
  (await runsOf(db, id)
    .where('status', 'not in', ['planned_and_finished', 'applied', 'errored', 'canceled', 'discarded'])
    .executeTakeFirst()) !== undefined

/** True if runs of its workspace use this version unless they name one. */
export async function isCurrent(db: Queryable, { id, workspaceId }: ConfigurationVersion): Promise<boolean> {
  const row = await db
    .selectFrom('workspaces')
    .select('current_configuration_version_id as current')
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  return row?.current === id
}
