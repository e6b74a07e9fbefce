import { sql } from 'kysely'
import type { Instant } from '../../../../kernel/clock.ts'
import { removedIds } from '../../../../kit/removals/index.ts'
import type { Db, Tx } from '../../../../storage/open.ts'
import { arrivedStatuses, type StateStatus, type StateVersion } from '../state-version.ts'

/**
 * Moves a version to another status; false if another request came first. A version deleted for good refers to no
 * content any more.
 */
export async function moveBackingData(
  tx: Tx,
  { id, status }: Pick<StateVersion, 'id' | 'status'>,
  next: StateStatus,
  at: Instant,
): Promise<boolean> {
  const gone = next === 'backing_data_permanently_deleted'
  const result = await tx
    .updateTable('state_versions')
    .set({
      status: next,
      soft_deleted_at: next === 'backing_data_soft_deleted' ? at : null,
      ...(gone ? { blob_id: null, json_blob_id: null, summary: null } : {}),
    })
    .where('id', '=', id)
    .where('status', '=', status)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

const day = 86_400_000

/**
 * Versions that are neither the current one nor the newest, which becomes current when the lock it was written under is
 * released.
 */
const supersededVersions = (db: Db) =>
  db
    .selectFrom('state_versions as version')
    .innerJoin('workspaces', 'workspaces.id', 'version.workspace_id')
    .select('version.id')
    .where('version.organization_id', 'not in', removedIds(db, 'organization'))
    .whereRef('version.id', 'is distinct from', 'workspaces.current_state_version_id')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('state_versions as newer')
          .select('newer.id')
          .whereRef('newer.workspace_id', '=', 'version.workspace_id')
          .whereRef('newer.ordinal', '>', 'version.ordinal')
          .where('newer.status', 'in', arrivedStatuses),
      ),
    )

/** Versions that a retention policy expires: that of the workspace, or else of its organization. */
export async function findExpiredVersions(db: Db, now: Instant, limit: number): Promise<string[]> {
  const rows = await supersededVersions(db)
    .leftJoin('data_retention_policies as own', 'own.target_id', 'workspaces.id')
    .leftJoin('data_retention_policies as general', 'general.target_id', 'workspaces.organization_id')
    .where('version.status', '=', 'finalized')
    .where(sql<string>`coalesce(own.kind, general.kind)`, '=', 'delete-older')
    .where(
      'version.created_at',
      '<',
      sql<number>`${now} - ${day} * case when own.kind is null then general.days else own.days end`,
    )
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Versions whose content was soft-deleted before this time. */
export async function findSoftDeletedVersions(db: Db, before: Instant, limit: number): Promise<string[]> {
  const rows = await supersededVersions(db)
    .where('version.status', '=', 'backing_data_soft_deleted')
    .where('version.soft_deleted_at', '<', before)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
