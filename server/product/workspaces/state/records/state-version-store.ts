import { removedIds } from '../../../../kit/removals/index.ts'
import { hotQuery } from '../../../../storage/hot.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import { arrivedStatuses, type StateStatus, type StateVersion, type StateVersionId } from '../state-version.ts'
import type { StateVersionRow } from './state-version-row-store.ts'
import { arrivalColumns, columns, toRow, toVersion } from './state-version-row-store.ts'

const byId = hotQuery<{ id: string }, StateVersionRow>('state-versions.by-id', (db, { id }) =>
  db
    .selectFrom('state_versions')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', 'not in', removedIds(db, 'organization')),
)

/** The version with this id. */
export async function loadStateVersion(db: Queryable, id: string): Promise<StateVersion | undefined> {
  const row = await byId.first(db, { id })
  return row && toVersion(row)
}

/** The versions with these ids, in no particular order. */
export async function loadStateVersions(db: Queryable, ids: readonly string[]): Promise<StateVersion[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('state_versions').selectAll().where('id', 'in', ids).execute()
  return rows.map(toVersion)
}

type OfWorkspace = { workspaceId: string }

type ComparedState = Pick<
  StateVersion,
  'id' | 'serial' | 'md5' | 'lineage' | 'runId' | 'resourceCount' | 'resourceCountKnown'
>

const newestOf = (db: Queryable, workspaceId: string, statuses: readonly StateStatus[]) =>
  db
    .selectFrom('state_versions')
    .where('workspace_id', '=', workspaceId)
    .where('status', 'in', statuses)
    .orderBy('ordinal', 'desc')
    .limit(1)

const newestArrived = hotQuery<OfWorkspace, StateVersionRow>('state-versions.newest-arrived', (db, { workspaceId }) =>
  newestOf(db, workspaceId, arrivedStatuses).selectAll(),
)

const comparedColumns = ['id', 'serial', 'md5', 'lineage', 'run_id', 'resource_count', 'resource_count_known'] as const

type ComparedRow = Pick<StateVersionRow, (typeof comparedColumns)[number]>

const newestCompared = hotQuery<OfWorkspace, ComparedRow>('state-versions.newest-compared', (db, { workspaceId }) =>
  newestOf(db, workspaceId, arrivedStatuses).select(comparedColumns),
)

const releasedColumns = ['status', 'lock_generation', ...comparedColumns] as const

const forRelease = hotQuery<OfWorkspace, Pick<StateVersionRow, (typeof releasedColumns)[number]>>(
  'state-versions.for-release',
  (db, { workspaceId }) => {
    const newest = (statuses: readonly StateStatus[]) =>
      db.selectFrom(newestOf(db, workspaceId, statuses).select(releasedColumns).as('newest')).selectAll()
    return newest(arrivedStatuses).unionAll(newest(['pending']))
  },
)

/** The newest version of a workspace whose content has arrived. */
export async function loadNewest(db: Queryable, workspaceId: string): Promise<StateVersion | undefined> {
  const row = await newestArrived.first(db, { workspaceId })
  return row && toVersion(row)
}

/** The newest version before this one whose content is there. */
export async function loadVersionBefore(
  db: Queryable,
  { workspaceId, ordinal }: Pick<StateVersion, 'workspaceId' | 'ordinal'>,
): Promise<StateVersion | undefined> {
  const row = await newestOf(db, workspaceId, ['finalized'])
    .selectAll()
    .where('ordinal', '<', ordinal)
    .executeTakeFirst()
  return row && toVersion(row)
}

/** The newest version, with only what a new state is compared with and what its workspace shows of it. */
export async function loadNewestCompared(tx: Tx, workspaceId: string): Promise<ComparedState | undefined> {
  const row = await newestCompared.first(tx, { workspaceId })
  return row && toCompared(row)
}

const toCompared = (row: ComparedRow): ComparedState => ({
  id: row.id as StateVersionId,
  serial: row.serial,
  md5: row.md5,
  lineage: row.lineage,
  runId: row.run_id,
  resourceCount: row.resource_count,
  resourceCountKnown: row.resource_count_known === 1,
})

/** The newest version that has arrived, and the lock generation under which the newest pending one was announced. */
export async function loadForRelease(
  tx: Tx,
  workspaceId: string,
): Promise<{ newest: ComparedState | undefined; pendingGeneration: number | undefined }> {
  const rows = await forRelease.all(tx, { workspaceId })
  const pending = rows.find(({ status }) => status === 'pending')
  const arrived = rows.find(({ status }) => status !== 'pending')
  return { newest: arrived && toCompared(arrived), pendingGeneration: pending?.lock_generation }
}

const nothingToRelease = hotQuery<OfWorkspace & { current: string }, { found: number }>(
  'state-versions.nothing-to-release',
  (db, { workspaceId, current }) =>
    db
      .selectNoFrom((eb) => eb.lit(1).as('found'))
      .where(({ eb, exists, not, fn, val }) =>
        eb.and([
          not(exists(newestOf(db, workspaceId, ['pending']).select('id'))),
          eb(fn.coalesce(newestOf(db, workspaceId, arrivedStatuses).select('id'), val('')), '=', current),
        ]),
      ),
)

/** Claims that no version is pending and that the newest one that has arrived is this one. */
export const claimNothingToRelease = async (tx: Tx, workspaceId: string, current: string | null): Promise<void> =>
  await nothingToRelease.claimBeforeCommit(tx, { workspaceId, current: current ?? '' })

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
  range: { readonly offset: number; readonly limit: number },
): Promise<{ versions: StateVersion[]; total: number }> {
  const { workspaceId, status } = of
  const all = db.selectFrom('state_versions').where('workspace_id', '=', workspaceId)
  const wanted = status === undefined ? all : all.where('status', '=', status)
  const rows = await wanted.selectAll().orderBy('ordinal', 'desc').offset(range.offset).limit(range.limit).execute()
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

/** These members of a row. It cannot be spread: while a hot query is built, its members are placeholders. */
const pick = <K extends keyof StateVersionRow>(row: StateVersionRow, names: readonly K[]): Pick<StateVersionRow, K> =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<StateVersionRow, K>

const insert = hotQuery('state-versions.insert', (db, row: StateVersionRow) =>
  db.insertInto('state_versions').values(pick(row, columns)),
)

/** Stores a new version. */
export async function insertStateVersion(tx: Tx, version: StateVersion): Promise<void> {
  await insert.run(tx, toRow(version))
}

/** Stores a new version that nothing else in the transaction refers to. */
export const insertStateVersionBeforeCommit = async (tx: Tx, version: StateVersion): Promise<void> =>
  await insert.runBeforeCommit(tx, toRow(version))

const updateArrived = hotQuery('state-versions.update-arrived', (db, row: StateVersionRow) =>
  db
    .updateTable('state_versions')
    .set(pick(row, arrivalColumns))
    .where('id', '=', row.id)
    .where('status', '=', 'pending'),
)

/** Stores a version whose content has arrived; false when it is no longer pending. */
export const storeArrival = async (tx: Tx, version: StateVersion): Promise<boolean> =>
  (await updateArrived.run(tx, toRow(version))) === 1

/**
 * Stores which file is the readable rendering of a version, and returns whether the version is encrypted. Undefined if
 * it has a rendering already, or no longer accepts one.
 */
export async function saveRendering(
  tx: Tx,
  id: string,
  content: { readonly blobId: string; readonly size: number },
): Promise<{ readonly encrypted: boolean } | undefined> {
  const row = await tx
    .updateTable('state_versions')
    .set({ json_blob_id: content.blobId, json_size: content.size })
    .where('id', '=', id)
    .where('json_blob_id', 'is', null)
    .where('status', 'in', ['pending', 'finalized'])
    .returning('encrypted')
    .executeTakeFirst()
  return row && { encrypted: row.encrypted === 1 }
}

/** Removes the rendering from a version; returns which file it was. */
export async function forgetRendering(tx: Tx, id: string): Promise<string | null> {
  const row = await tx.selectFrom('state_versions').select('json_blob_id').where('id', '=', id).executeTakeFirst()
  await tx.updateTable('state_versions').set({ json_blob_id: null, json_size: 0 }).where('id', '=', id).execute()
  return row?.json_blob_id ?? null
}

const discarded = { status: 'discarded', intermediate: 0, announced_outputs: null } as const

const discard = hotQuery('state-versions.discard-pending', (db, of: OfWorkspace & { below: number }) =>
  db
    .updateTable('state_versions')
    .set(discarded)
    .where('workspace_id', '=', of.workspaceId)
    .where('status', '=', 'pending')
    .where('ordinal', '<', of.below),
)

/** Discards pending versions below this ordinal. */
export const discardPending = async (tx: Tx, workspaceId: string, below: number): Promise<void> =>
  await discard.runBeforeCommit(tx, { workspaceId, below })

/** Discards versions still pending from somebody who was removed, altogether or from one organization. */
export async function discardPendingOf(
  tx: Tx,
  { kind, id, organizationId }: { readonly kind: string; readonly id: string; readonly organizationId?: string },
): Promise<void> {
  const held = tx.selectFrom('workspaces').select('id').where('locked_by_id', '=', id)
  await tx
    .updateTable('state_versions')
    .set(discarded)
    .where('workspace_id', 'in', organizationId ? held.where('organization_id', '=', organizationId) : held)
    .where('status', '=', 'pending')
    .where('created_by_kind', '=', kind)
    .where('created_by_id', '=', id)
    .execute()
}

/** A version stops being intermediate when the lock it was written under is released. */
export async function promoteStateVersion(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('state_versions').set({ intermediate: 0 }).where('id', '=', id).execute()
}
