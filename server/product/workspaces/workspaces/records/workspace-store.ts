import { sql } from 'kysely'
import { type Awaitable, andThen } from '../../../../kernel/awaitable.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import { batchesOf } from '../../../../storage/batches.ts'
import { hotQuery } from '../../../../storage/hot.ts'
import { isRemote, type Queryable, type Tx } from '../../../../storage/open.ts'
import type { WorkspaceRow } from '../../../../storage/tables/workspaces.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import type { Workspace, WorkspaceSettings } from '../workspace-rules.ts'
import { lastSeen, recallWorkspace, rememberWorkspace, type Stamp, stampColumns } from './known-workspaces-store.ts'
import { settingsColumns, toRow, toWorkspace } from './workspace-row-store.ts'

const byId = hotQuery<{ id: string }, WorkspaceRow>('workspaces.by-id', (db, { id }) =>
  db.selectFrom('workspaces').selectAll().where('id', '=', id),
)

const stampById = hotQuery<{ id: string }, Stamp>('workspaces.stamp-by-id', (db, { id }) =>
  db.selectFrom('workspaces').select(stampColumns).where('id', '=', id),
)

const stampByName = hotQuery<{ organizationId: string; name: string }, Stamp>(
  'workspaces.stamp-by-name',
  (db, { organizationId, name }) =>
    db
      .selectFrom('workspaces')
      .select(stampColumns)
      .where('organization_id', '=', organizationId)
      .where('name', '=', name),
)

/**
 * The workspace with this id. Memory is safe in a transaction, too: it holds only committed rows, and a row that the
 * transaction has written has another stamp. It is not used in a transaction on a remote database, where one query is
 * cheaper than two, nor for a workspace that was never seen, where there is no stamp to compare.
 */
export function loadWorkspace(db: Queryable, id: string): Awaitable<Workspace | undefined> {
  if ((db.isTransaction && isRemote(db)) || !lastSeen(db, id)) return readWorkspace(db, id)
  return andThen(stampById.first(db, { id }), (stamp) => stamp && (recallWorkspace(db, stamp) ?? readWorkspace(db, id)))
}

/** The workspace of this name in an organization; names are compared with case. */
export const loadWorkspaceByName = (
  db: Queryable,
  organizationId: string,
  name: string,
): Awaitable<Workspace | undefined> =>
  andThen(
    stampByName.first(db, { organizationId, name }),
    (stamp) => stamp && ((db.isTransaction ? undefined : recallWorkspace(db, stamp)) ?? readWorkspace(db, stamp.id)),
  )

const readWorkspace = (db: Queryable, id: string): Awaitable<Workspace | undefined> =>
  andThen(byId.first(db, { id }), (row) => row && (db.isTransaction ? toWorkspace(row) : rememberWorkspace(db, row)))

/** The workspace that had this name before, if no other has it now. */
export async function loadFormerlyNamed(
  db: Queryable,
  organizationId: string,
  name: string,
): Promise<Workspace | undefined> {
  const row = await db
    .selectFrom('workspaces')
    .innerJoin('former_workspace_names as former', 'former.workspace_id', 'workspaces.id')
    .selectAll('workspaces')
    .where('former.organization_id', '=', organizationId)
    .where('former.name', '=', name)
    .executeTakeFirst()
  return row && toWorkspace(row)
}

/** Remembers the former name of a renamed workspace. */
export async function saveFormerName(tx: Tx, workspace: Workspace, renamedAt: Instant): Promise<void> {
  const columns = { workspace_id: workspace.id, renamed_at: renamedAt }
  await tx
    .insertInto('former_workspace_names')
    .values({ organization_id: workspace.organizationId, name: workspace.name, ...columns })
    .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doUpdateSet(columns))
    .execute()
}

/** Forgets a former name: a request for a workspace that was deleted must not be redirected to another one. */
async function forgetFormerName(tx: Tx, organizationId: string, name: string): Promise<void> {
  await tx
    .deleteFrom('former_workspace_names')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .execute()
}

/** The workspaces with these ids, in no particular order. */
export async function loadWorkspaces(db: Queryable, ids: readonly string[]): Promise<Workspace[]> {
  const found: Workspace[] = []
  for (const lot of batchesOf(ids)) {
    const rows = await db.selectFrom('workspaces').selectAll().where('id', 'in', lot).execute()
    found.push(...rows.map(toWorkspace))
  }
  return found
}

/** Stores a new workspace and counts it; a taken name is a unique violation. */
export async function insertWorkspace(tx: Tx, workspace: Workspace): Promise<void> {
  await tx.insertInto('workspaces').values(toRow(workspace)).execute()
  await countWorkspaces(tx, workspace, 1)
  bumpVersion(tx, 'workspaces')
}

/** The settings that lists are filtered or sorted by; remembered lists are dropped when one of them changes. */
const listedBy = ['projectId', 'name', 'toolVersion'] as const

/**
 * Stores changed settings and increments the revision. If somebody has written to the workspace since it was read,
 * nothing is stored, and the result is false.
 */
export async function updateSettings(
  tx: Tx,
  before: Workspace,
  settings: WorkspaceSettings,
  updatedAt: Instant,
): Promise<boolean> {
  const result = await tx
    .updateTable('workspaces')
    .set({ ...settingsColumns(settings), updated_at: updatedAt, revision: before.revision + 1 })
    .where('id', '=', before.id)
    .where('revision', '=', before.revision)
    .executeTakeFirst()
  if (result.numUpdatedRows !== 1n) return false
  if (before.projectId !== settings.projectId) await recountMove(tx, before, settings.projectId)
  if (listedBy.some((name) => before[name] !== settings[name])) bumpVersion(tx, 'workspaces')
  return true
}

/** Always in the order of the projects: otherwise two moves in opposite directions could deadlock. */
async function recountMove(tx: Tx, { organizationId, projectId: from }: Workspace, to: string): Promise<void> {
  const changes = [[from, -1] as const, [to, 1] as const].sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [projectId, change] of changes) await countWorkspaces(tx, { organizationId, projectId }, change)
}

/** Marks a workspace as written, when something that its document shows has changed elsewhere. */
export async function touchWorkspace(tx: Tx, id: string, updatedAt?: Instant): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set((eb) => ({
      revision: eb('revision', '+', 1),
      ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
    }))
    .where('id', '=', id)
    .execute()
}

/** The workspace with this id, locked: nobody else can change it before the transaction ends. */
export async function holdWorkspace(tx: Tx, id: string, updatedAt?: Instant): Promise<Workspace | undefined> {
  await touchWorkspace(tx, id, updatedAt)
  return await loadWorkspace(tx, id)
}

/** True if a workspace is still at this revision; nobody else can change it before this transaction ends. */
export async function holdAtRevision(tx: Tx, id: string, revision: number): Promise<boolean> {
  const result = await tx
    .updateTable('workspaces')
    .set({ revision: revision + 1 })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/**
 * Removes a workspace with what refers to it by a foreign key, and flat tags that no workspace has any more, and updates
 * the counters; false when it was gone already.
 */
export async function deleteWorkspace(tx: Tx, workspace: Workspace): Promise<boolean> {
  const tagIds = await tx
    .selectFrom('workspace_tags')
    .select('tag_id')
    .where('workspace_id', '=', workspace.id)
    .execute()
  const gone = await tx
    .deleteFrom('workspaces')
    .where('id', '=', workspace.id)
    .returning(['project_id', 'name'])
    .executeTakeFirst()
  if (!gone) return false
  await forgetFormerName(tx, workspace.organizationId, gone.name)
  await countWorkspaces(tx, { organizationId: workspace.organizationId, projectId: gone.project_id }, -1)
  await deleteOrphanTags(
    tx,
    tagIds.map((row) => row.tag_id),
  )
  bumpVersion(tx, 'workspaces')
  return true
}

/** Removes those of these flat tags that no workspace has. */
export async function deleteOrphanTags(tx: Tx, tagIds: readonly string[]): Promise<void> {
  for (const lot of batchesOf(tagIds)) {
    await tx
      .deleteFrom('tags')
      .where('id', 'in', lot)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('workspace_tags').whereRef('workspace_tags.tag_id', '=', 'tags.id').select('tag_id'))),
      )
      .execute()
  }
}

/** Changes the number of workspaces of a project. */
async function countWorkspaces(
  tx: Tx,
  of: Pick<Workspace, 'organizationId' | 'projectId'>,
  change: 1 | -1,
): Promise<void> {
  await tx
    .insertInto('workspace_counts')
    .values({ organization_id: of.organizationId, project_id: of.projectId, workspaces: change })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'project_id'])
        .doUpdateSet({ workspaces: sql`workspace_counts.workspaces + ${change}` }),
    )
    .execute()
}
