import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../../storage/open.ts'

/** How many workspaces have these flat tags, by the tag. */
export async function loadTagCounts(db: Queryable, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.selectFrom('tags').select(['id', 'workspaces']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, workspaces }) => [id, workspaces]))
}

/** Gives the names of flat tags away that are being removed. */
export async function releaseTagNames(tx: Tx, ids: readonly string[]): Promise<void> {
  // No name of a tag contains a bracket.
  await tx.updateTable('tags').set({ name: sql`'(' || id || ')'` }).where('id', 'in', ids).execute()
}

/** Removes a flat tag. */
export async function deleteTag(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('tags').where('id', '=', id).execute()
}

/** A workspace that loses a flat tag, with the names its row has until then. */
export type TaggedRow = { readonly id: string; readonly name: string; readonly tagNames: readonly string[] }

/** The next workspaces that have a flat tag, in the order of their ids. Nobody can change them before the transaction ends. */
export async function lockTaggedForUpdate(
  tx: Tx,
  tagId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<TaggedRow[]> {
  const tagged = tx
    .selectFrom('workspace_tags')
    .select('workspace_id')
    .where('tag_id', '=', tagId)
    .where('workspace_id', '>', after)
    .orderBy('workspace_id')
    .limit(limit)
  const rows = await tx
    .selectFrom('workspaces')
    .select(['id', 'name', 'tag_names'])
    .where('id', 'in', tagged)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ tag_names, ...row }) => ({ ...row, tagNames: JSON.parse(tag_names) as string[] }))
}

/** Removes a flat tag from these workspaces. */
export async function detachFromAll(tx: Tx, tagId: string, workspaceIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('workspace_tags').where('tag_id', '=', tagId).where('workspace_id', 'in', workspaceIds).execute()
}
