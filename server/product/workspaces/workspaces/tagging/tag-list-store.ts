import { sql } from 'kysely'
import type { Instant } from '../../../../kernel/clock.ts'
import { removedIds } from '../../../../kit/removals/index.ts'
import type { Queryable } from '../../../../storage/open.ts'
import { contains } from '../../../../storage/search.ts'

/** A flat tag and the number of workspaces that have it. */
export type FlatTag = {
  readonly id: string
  readonly name: string
  readonly createdAt: Instant
  readonly instanceCount: number
}

/** Which flat tags of an organization are wanted. */
type TagFilter = {
  readonly organizationId: string
  readonly workspaceId?: string
  /** Part of the name. */
  readonly text?: string
  /** Leaves out the tags that this workspace has. */
  readonly exceptOn?: string
}

/**
 * One page of flat tags, and how many there are: in order of attachment for a workspace, by name for an organization.
 */
export async function listTags(
  db: Queryable,
  filter: TagFilter,
  page: { offset: number; limit: number },
): Promise<{ tags: FlatTag[]; total: number }> {
  const base = selection(db, filter)
  const { total } = await base.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const ordered =
    filter.workspaceId === undefined ? base.orderBy('tags.name') : base.orderBy(sql.ref('workspace_tags.position'))
  const rows = await ordered
    .select(['tags.id', 'tags.name', 'tags.created_at', 'tags.workspaces'])
    .offset(page.offset)
    .limit(page.limit)
    .execute()
  const tags = rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.created_at as Instant,
    instanceCount: row.workspaces,
  }))
  return { tags, total: Number(total) }
}

function selection(db: Queryable, { organizationId, workspaceId, text, exceptOn }: TagFilter) {
  const tags = db.selectFrom('tags').where('tags.id', 'not in', removedIds(db, 'tag'))
  // Not both conditions: before PostgreSQL has statistics, it would scan one list for each row of the other.
  let query =
    workspaceId === undefined
      ? tags.where('tags.organization_id', '=', organizationId)
      : tags.$if(true, (all) =>
          all.innerJoin('workspace_tags', (join) =>
            join.onRef('workspace_tags.tag_id', '=', 'tags.id').on('workspace_tags.workspace_id', '=', workspaceId),
          ),
        )
  if (text) query = query.where(contains('tags.name', text))
  if (exceptOn) {
    query = query.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('workspace_tags as other')
            .select('other.tag_id')
            .whereRef('other.tag_id', '=', 'tags.id')
            .where('other.workspace_id', '=', exceptOn),
        ),
      ),
    )
  }
  return query
}

/** A flat tag, and the organization it belongs to. */
export type OrganizationTag = { readonly id: string; readonly name: string; readonly organizationId: string }

/** The flat tags of an organization with these ids. */
export async function findTags(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Pick<OrganizationTag, 'id' | 'name'>[]> {
  if (ids.length === 0) return []
  return await db
    .selectFrom('tags')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .where('id', 'not in', removedIds(db, 'tag'))
    .execute()
}

/** The ids of flat tags by name; unknown names are left out. */
export async function findTagIds(db: Queryable, organizationId: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const rows = await db
    .selectFrom('tags')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('name', 'in', names)
    .execute()
  return rows.map((row) => row.id)
}

/** A flat tag by id, in any organization. */
export async function findTag(db: Queryable, id: string): Promise<OrganizationTag | undefined> {
  const row = await db
    .selectFrom('tags')
    .selectAll()
    .where('id', '=', id)
    .where('id', 'not in', removedIds(db, 'tag'))
    .executeTakeFirst()
  return row && { id: row.id, name: row.name, organizationId: row.organization_id }
}
