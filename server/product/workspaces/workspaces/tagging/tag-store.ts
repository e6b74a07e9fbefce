import type { Instant } from '../../../../kernel/clock.ts'
import type { Ids } from '../../../../kernel/ids.ts'
import { removedIds } from '../../../../kit/removals/index.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import { rowChunksOf } from '../../../../storage/row-chunks.ts'

/** A flat tag of an organization; it lives as long as a workspace has it. */
interface TagRow {
  id: string
  organization_id: string
  name: string
  created_at: number
  /** How many workspaces have it: lists read it here and never count. */
  workspaces: number
}

/** A flat tag on a workspace; `position` is the order of attachment. */
interface WorkspaceTagRow {
  workspace_id: string
  tag_id: string
  position: number
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    tags: TagRow
    workspace_tags: WorkspaceTagRow
  }
}

/** The workspace that flat tags are put on. */
export type TaggedWorkspace = { readonly id: string; readonly organizationId: string }

/**
 * Lets one transaction at a time change the flat tags of an organization: a tag is created with the first workspace
 * that has it, and deleted with the last. Taken before any workspace is locked, so that there are no deadlocks.
 */
export async function lockTagsForUpdate(tx: Tx, organizationId: string): Promise<void> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
}

/** The ids of flat tags by name; names that the organization does not have yet are created. */
export async function ensureTags(
  tx: Tx,
  ids: Pick<Ids, 'newId'>,
  organizationId: string,
  wanted: { readonly names: readonly string[]; readonly at: Instant },
): Promise<Map<string, string>> {
  if (wanted.names.length === 0) return new Map()
  const made = wanted.names.map((name) => ({
    id: ids.newId('tag'),
    organization_id: organizationId,
    name,
    created_at: wanted.at,
    workspaces: 0,
  }))
  for (const lot of rowChunksOf(made)) {
    await tx
      .insertInto('tags')
      .values(lot)
      .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doNothing())
      .execute()
  }
  const rows = await tx
    .selectFrom('tags')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('name', 'in', wanted.names)
    .execute()
  return new Map(rows.map((row) => [row.name, row.id]))
}

/** Puts flat tags on a workspace, after those it has; existing ones keep their place. */
export async function attachTags(tx: Tx, workspaceId: string, tagIds: readonly string[]): Promise<void> {
  const last = await tx
    .selectFrom('workspace_tags')
    .select(({ fn }) => fn.max('position').as('position'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  const first = Number(last?.position ?? 0) + 1
  const rows = tagIds.map((tagId, index) => ({ workspace_id: workspaceId, tag_id: tagId, position: first + index }))
  for (const lot of rowChunksOf(rows)) {
    const attached = await tx
      .insertInto('workspace_tags')
      .values(lot)
      .onConflict((conflict) => conflict.columns(['tag_id', 'workspace_id']).doNothing())
      .returning('tag_id')
      .execute()
    await countTagged(tx, attached, 1)
  }
}

/** Removes flat tags from a workspace; those that it does not have are ignored. */
export async function detachTags(tx: Tx, workspaceId: string, tagIds: readonly string[]): Promise<void> {
  if (tagIds.length === 0) return
  const detached = await tx
    .deleteFrom('workspace_tags')
    .where('workspace_id', '=', workspaceId)
    .where('tag_id', 'in', tagIds)
    .returning('tag_id')
    .execute()
  await countTagged(tx, detached, -1)
}

/** Changes how many workspaces have each of these flat tags, which nobody else changes: see `lockTagsForUpdate`. */
export async function countTagged(
  tx: Tx,
  tags: readonly Pick<WorkspaceTagRow, 'tag_id'>[],
  change: 1 | -1,
): Promise<void> {
  for (const lot of rowChunksOf(tags)) {
    const ids = lot.map(({ tag_id }) => tag_id)
    await tx
      .updateTable('tags')
      .set(({ eb }) => ({ workspaces: eb('workspaces', '+', change) }))
      .where('id', 'in', ids)
      .execute()
  }
}

/** The names of a workspace's flat tags, which its row repeats, since documents read them there. */
export const loadTagNames = async (db: Queryable, workspaceId: string): Promise<string[]> =>
  (await loadTagNamesOf(db, [workspaceId])).get(workspaceId) ?? []

/** The same for several workspaces; those without tags are left out. */
export async function loadTagNamesOf(db: Queryable, workspaceIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('workspace_tags')
    .innerJoin('tags', 'tags.id', 'workspace_tags.tag_id')
    .select(['workspace_id', 'tags.name'])
    .where('workspace_id', 'in', workspaceIds)
    .where('tags.id', 'not in', removedIds(db, 'tag'))
    .orderBy('workspace_id')
    .orderBy('position')
    .execute()
  const grouped = Map.groupBy(rows, (row) => row.workspace_id)
  return new Map([...grouped].map(([id, tags]) => [id, tags.map(({ name }) => name)]))
}
