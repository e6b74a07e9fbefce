import type { Expression } from 'kysely'
import type { Queryable } from '../../../storage/open.ts'
import { foldTagName } from '../tagging/tag-rules.ts'
import type { TaggedWith } from './list-rules.ts'

/** A project's binding that its workspaces inherit unless they bind the key themselves. */
export type ProjectBinding = { readonly projectId: string; readonly key: string; readonly value: string }

/** The bindings of all projects of an organization: few, and most organizations have none. */
export async function loadProjectBindings(db: Queryable, organizationId: string): Promise<ProjectBinding[]> {
  const rows = await db
    .selectFrom('tag_bindings')
    .select(['project_id', 'key', 'value'])
    .where('organization_id', '=', organizationId)
    .where('project_id', 'is not', null)
    .execute()
  return rows.map((row) => ({ projectId: row.project_id ?? '', key: row.key, value: row.value }))
}

/** A subquery of workspace ids. */
export type IdQuery = Expression<{ id: string }>

/** What subqueries about tags need to know. */
export type TaggedContext = {
  readonly db: Queryable
  readonly organizationId: string
  readonly projectBindings: readonly ProjectBinding[]
}

/** Ids of workspaces that bind a key to a value themselves. */
function boundDirectly({ db, organizationId }: TaggedContext, { key, value }: TaggedWith) {
  let query = db
    .selectFrom('tag_bindings as direct')
    .select((eb) => eb.ref('direct.workspace_id').$notNull().as('id'))
    .where('direct.organization_id', '=', organizationId)
    .where('direct.workspace_id', 'is not', null)
  if (key !== undefined) query = query.where('direct.key', '=', key)
  if (value !== undefined) query = query.where('direct.value', '=', value)
  return query
}

/** Ids of workspaces that inherit one of these bindings: those of the project that do not bind its key themselves. */
function inheriting({ db, organizationId }: TaggedContext, key: string, projectIds: readonly string[]) {
  return db
    .selectFrom('workspaces as heir')
    .select('heir.id as id')
    .where('heir.organization_id', '=', organizationId)
    .where('heir.project_id', 'in', projectIds)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tag_bindings as own')
            .select('own.id')
            .whereRef('own.workspace_id', '=', 'heir.id')
            .where('own.key', '=', key),
        ),
      ),
    )
}

/** Ids of workspaces that have an effective binding like this. */
export function effectivelyTagged(context: TaggedContext, wish: TaggedWith) {
  const matching = context.projectBindings.filter(
    ({ key, value }) => (wish.key ?? key) === key && (wish.value ?? value) === value,
  )
  let query = boundDirectly(context, wish)
  for (const [key, bindings] of Map.groupBy(matching, (binding) => binding.key)) {
    query = query.union(
      inheriting(
        context,
        key,
        bindings.map(({ projectId }) => projectId),
      ),
    )
  }
  return wish.key === undefined ? query.distinct() : query
}

/** Ids of workspaces that have a flat tag of this name, or an effective binding with this key. */
export function namedByTag(context: TaggedContext, name: string) {
  const flat = context.db
    .selectFrom('workspace_tags')
    .innerJoin('tags', 'tags.id', 'workspace_tags.tag_id')
    .select('workspace_tags.workspace_id as id')
    .where('tags.organization_id', '=', context.organizationId)
    .where('tags.name', '=', foldTagName(name))
  return flat.union(effectivelyTagged(context, { key: name, value: undefined }))
}
