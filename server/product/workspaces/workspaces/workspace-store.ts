import { type Expression, type ExpressionBuilder, type SqlBool, sql, type UpdateObject } from 'kysely'
import type { Instant } from '../../../kernel/clock.ts'
import { removeAllDependents } from '../../../storage/cascade.ts'
import { hotQuery } from '../../../storage/hot.ts'
import { isRemote, type Queryable, type Tx } from '../../../storage/open.ts'
import { rowChunksOf } from '../../../storage/row-chunks.ts'
import type { DescribedTables } from '../../../storage/tables.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import { lastSeen, recallWorkspace, rememberWorkspace, type Stamp, stampColumns } from './known-workspaces-store.ts'
import { countTagged } from './tagging/tag-store.ts'
import type { Workspace } from './workspace.ts'
import { columnsOf, toLockRow, toRow, toWorkspace, type WorkspaceRow } from './workspace-row-store.ts'

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
export async function loadWorkspace(db: Queryable, id: string): Promise<Workspace | undefined> {
  if ((db.isTransaction && isRemote(db)) || !lastSeen(db, id)) return await readWorkspace(db, id)
  const stamp = await stampById.first(db, { id })
  return stamp && (recallWorkspace(db, stamp) ?? (await readWorkspace(db, id)))
}

/** The workspace of this name in an organization; names are compared with case. */
export async function loadWorkspaceByName(
  db: Queryable,
  organizationId: string,
  name: string,
): Promise<Workspace | undefined> {
  const stamp = await stampByName.first(db, { organizationId, name })
  const known = stamp && !db.isTransaction ? recallWorkspace(db, stamp) : undefined
  return stamp && (known ?? (await readWorkspace(db, stamp.id)))
}

async function readWorkspace(db: Queryable, id: string): Promise<Workspace | undefined> {
  const row = await byId.first(db, { id })
  return row && (db.isTransaction ? toWorkspace(row) : rememberWorkspace(db, row))
}

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
async function saveFormerName(tx: Tx, workspace: Workspace, renamedAt: Instant): Promise<void> {
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
  for (const lot of rowChunksOf(ids)) {
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

/** Members of a workspace that a write can change. */
export type ChangedMembers = Partial<Omit<Workspace, 'id' | 'organizationId' | 'createdAt' | 'revision'>>

/** Members that lists are filtered or sorted by; remembered lists are dropped when one of them changes. */
const listedBy = ['projectId', 'name', 'toolVersion', 'tagNames'] as const

type SwapValues = Partial<WorkspaceRow> & { id: string; seenRevision: number; seenGeneration: number }

/**
 * The statement that writes these members. It finds nothing if somebody has written to the workspace since it was read,
 * or if the store was restored: then lock generations are beyond all that were issued before.
 */
function makeSwap(members: readonly string[]) {
  const columns = [...members.flatMap(columnsOf), 'revision'] as (keyof WorkspaceRow)[]
  return hotQuery(`workspaces.swap (${members.join(', ')})`, (db, values: SwapValues) =>
    db
      .updateTable('workspaces')
      .set(Object.fromEntries(columns.map((column) => [column, values[column]])))
      .where('id', '=', values.id)
      .where('revision', '=', values.seenRevision)
      .where('lock_generation', '=', values.seenGeneration),
  )
}

const lockMembers = ['lock', 'lockGeneration'] as const

const lockSwap = makeSwap(lockMembers)

/** By the members they write: each caller writes the same ones every time, so there are few. */
const swaps = new Map<string, ReturnType<typeof makeSwap>>([[lockMembers.join(), lockSwap]])

function swapOf(changed: ChangedMembers): ReturnType<typeof makeSwap> {
  const members = Object.keys(changed).sort()
  const key = members.join()
  const known = swaps.get(key)
  if (known) return known
  const made = makeSwap(members)
  swaps.set(key, made)
  return made
}

const seenIn = ({ revision, lockGeneration }: Workspace) => ({
  seenRevision: revision,
  seenGeneration: lockGeneration,
})

const afterChange = (before: Workspace, members: ChangedMembers): Workspace => ({
  ...before,
  ...members,
  revision: before.revision + 1,
})

/**
 * Writes these members, and increments the revision, if the workspace is still what was read. If it is not, nothing is
 * written, and the result is undefined.
 */
export async function swapWorkspace(
  tx: Tx,
  before: Workspace,
  members: ChangedMembers,
): Promise<Workspace | undefined> {
  const after = afterChange(before, members)
  if ((await swapOf(members).run(tx, { ...toRow(after), ...seenIn(before) })) !== 1) return undefined
  if (before.projectId !== after.projectId) await recountMove(tx, before, after.projectId)
  if (before.name !== after.name) await saveFormerName(tx, before, after.updatedAt)
  if (listedBy.some((name) => before[name] !== after[name])) bumpVersion(tx, 'workspaces')
  return after
}

/** The same for a lock, sent along with the commit; if somebody came first, the whole transaction is undone. */
export async function claimLockSwap(
  tx: Tx,
  before: Workspace,
  members: Pick<Workspace, (typeof lockMembers)[number]>,
): Promise<Workspace> {
  const after = afterChange(before, members)
  await lockSwap.claimBeforeCommit(tx, { ...toLockRow(after), ...seenIn(before) })
  return after
}

type WorkspaceExpressions = ExpressionBuilder<DescribedTables, 'workspaces'>

/** Writes the same to all workspaces that match, whatever they were; returns which. */
export const updateWorkspaces = (
  tx: Tx,
  columns: (eb: WorkspaceExpressions) => UpdateObject<DescribedTables, 'workspaces'>,
  matches: (eb: WorkspaceExpressions) => Expression<SqlBool>,
): Promise<{ id: string; name: string }[]> =>
  tx
    .updateTable('workspaces')
    .set((eb) => ({ ...columns(eb), revision: eb('revision', '+', 1) }))
    .where(matches)
    .returning(['id', 'name'])
    .execute()

/** Stores which flat tags workspaces have, after that has changed elsewhere. */
export async function saveTagNames(
  tx: Tx,
  names: ReadonlyMap<string, readonly string[]>,
  updatedAt: Instant,
): Promise<void> {
  if (names.size === 0) return
  const rows = [...names].map(([id, list]) => sql`(${id}, ${JSON.stringify(list)})`)
  // Both engines call the columns of such a list so.
  await sql`
    update workspaces set tag_names = list.column2, updated_at = ${updatedAt}, revision = revision + 1
    from (values ${sql.join(rows)}) as list where workspaces.id = list.column1`.execute(tx)
}

/** Always in the order of the projects: otherwise two moves in opposite directions could deadlock. */
async function recountMove(tx: Tx, { organizationId, projectId: from }: Workspace, to: string): Promise<void> {
  const changes = [[from, -1] as const, [to, 1] as const].sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [projectId, change] of changes) await countWorkspaces(tx, { organizationId, projectId }, change)
}

const byIdForUpdate = hotQuery<{ id: string }, WorkspaceRow>('workspaces.by-id-for-update', (db, { id }) =>
  db.selectFrom('workspaces').selectAll().where('id', '=', id).forNoKeyUpdate(),
)

/** The workspace with this id. Nobody else can change or delete it before the transaction ends. */
export async function lockWorkspaceForUpdate(tx: Tx, id: string): Promise<Workspace | undefined> {
  const row = await byIdForUpdate.first(tx, { id })
  return row && toWorkspace(row)
}

/** Marks a workspace as written, when something that its document shows has changed elsewhere; returns it. */
export async function touchWorkspace(tx: Tx, id: string, updatedAt?: Instant): Promise<Workspace | undefined> {
  const workspace = await lockWorkspaceForUpdate(tx, id)
  return workspace && (await swapWorkspace(tx, workspace, updatedAt === undefined ? {} : { updatedAt }))
}

/**
 * Removes a workspace with what refers to it by a foreign key, and flat tags that no workspace has any more, and updates
 * the counters; false when it was gone already.
 */
export async function deleteWorkspace(tx: Tx, workspace: Workspace): Promise<boolean> {
  const tags = await tx.selectFrom('workspace_tags').select('tag_id').where('workspace_id', '=', workspace.id).execute()
  await removeAllDependents(tx, 'workspaces', [workspace.id])
  const gone = await tx
    .deleteFrom('workspaces')
    .where('id', '=', workspace.id)
    .returning(['project_id', 'name'])
    .executeTakeFirst()
  if (!gone) return false
  await forgetFormerName(tx, workspace.organizationId, gone.name)
  await countWorkspaces(tx, { organizationId: workspace.organizationId, projectId: gone.project_id }, -1)
  await countTagged(tx, tags, -1)
  await deleteOrphanTags(
    tx,
    tags.map((row) => row.tag_id),
  )
  bumpVersion(tx, 'workspaces')
  return true
}

/** Removes workspaces of an organization that is gone, where nobody counts them any more. */
export async function deleteUncounted(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('workspaces').where('id', 'in', ids).execute()
}

/** Removes those of these flat tags that no workspace has. */
export async function deleteOrphanTags(tx: Tx, tagIds: readonly string[]): Promise<void> {
  for (const lot of rowChunksOf(tagIds)) {
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
