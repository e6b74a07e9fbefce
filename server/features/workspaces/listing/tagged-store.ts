import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Queryable } from '../../../storage/open.ts'
import type { Tables } from '../../../storage/tables/index.ts'
import type { WorkspaceRow } from '../../../storage/tables/workspaces.ts'
import { foldTagName } from '../tagging/tag-rules.ts'
import type { TaggedWith } from './list-rules.ts'

/** A project's binding that its workspaces inherit unless they bind the key themselves. */
export type ProjectBinding = { readonly projectId: string; readonly key: string; readonly value: string }

/** The bindings of all projects of an organization: there are few, and most organizations have none. */
export async function loadProjectBindings(db: Queryable, organizationId: string): Promise<ProjectBinding[]> {
  const rows = await db
    .selectFrom('tag_bindings')
    .select(['project_id', 'key', 'value'])
    .where('organization_id', '=', organizationId)
    .where('project_id', 'is not', null)
    .execute()
  return rows.map((row) => ({ projectId: row.project_id ?? '', key: row.key, value: row.value }))
}

/** The tables of a query that lists workspaces, which are called `ws` in it. */
export type Listed = Tables & { ws: WorkspaceRow }

/** What conditions about tags depend on. */
export type TaggedContext = {
  readonly organizationId: string
  readonly projectBindings: readonly ProjectBinding[]
}

/** A condition about tags: an effective binding, or a name that is a flat tag or the key of a binding. */
export type TagCondition = TaggedWith | { readonly name: string }

const bindingOf = (condition: TagCondition): TaggedWith =>
  'name' in condition ? { key: condition.name, value: undefined } : condition

/** The projects whose bindings meet a condition, by key. */
function projectsMeeting(
  { projectBindings }: TaggedContext,
  condition: TaggedWith,
): ReadonlyMap<string, readonly string[]> {
  const meeting = projectBindings.filter(
    ({ key, value }) => (condition.key ?? key) === key && (condition.value ?? value) === value,
  )
  const byKey = Map.groupBy(meeting, ({ key }) => key)
  return new Map([...byKey].map(([key, bindings]) => [key, bindings.map(({ projectId }) => projectId)]))
}

/** A query for the ids of the workspaces that meet a condition; an id may come more than once. */
export function idsMeeting(db: Queryable, context: TaggedContext, condition: TagCondition) {
  const { organizationId } = context
  const { key, value } = bindingOf(condition)
  let direct = db
    .selectFrom('tag_bindings as direct')
    .select((eb) => eb.ref('direct.workspace_id').$notNull().as('id'))
    .where('direct.organization_id', '=', organizationId)
    .where('direct.workspace_id', 'is not', null)
  if (key !== undefined) direct = direct.where('direct.key', '=', key)
  if (value !== undefined) direct = direct.where('direct.value', '=', value)
  let query = direct
  for (const [inherited, projectIds] of projectsMeeting(context, { key, value })) {
    query = query.unionAll(inheritingWorkspaces(db, organizationId, inherited, projectIds))
  }
  return 'name' in condition ? query.unionAll(flatTagged(db, organizationId, condition.name)) : query
}

/** Ids of the workspaces that meet every condition, each once. */
export function idsMeetingAll(db: Queryable, context: TaggedContext, conditions: readonly TagCondition[]) {
  const [first, ...others] = conditions.map((condition) =>
    db
      .selectFrom(idsMeeting(db, context, condition).as('ids'))
      .select('ids.id')
      .distinct(),
  )
  if (!first) throw new Error('There is no condition to meet.')
  return others.reduce((all, each) => all.intersect(each), first)
}

/** Ids of the workspaces that meet any condition, each once. */
export function idsMeetingAny(db: Queryable, context: TaggedContext, conditions: readonly TagCondition[]) {
  const [first, ...others] = conditions.map((condition) => idsMeeting(db, context, condition))
  if (!first) throw new Error('There is no condition to meet.')
  const any = others.reduce((all, each) => all.unionAll(each), first)
  return db.selectFrom(any.as('ids')).select('ids.id').distinct()
}

/** A project's binding counts for those of its workspaces that do not bind the key themselves. */
const inheritingWorkspaces = (db: Queryable, organizationId: string, key: string, projectIds: readonly string[]) =>
  db
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

const flatTagged = (db: Queryable, organizationId: string, name: string) =>
  db
    .selectFrom('workspace_tags')
    .innerJoin('tags', 'tags.id', 'workspace_tags.tag_id')
    .select('workspace_tags.workspace_id as id')
    .where('tags.organization_id', '=', organizationId)
    .where('tags.name', '=', foldTagName(name))

/** True for a workspace `ws` that meets a condition; cheap for one workspace, expensive for all. */
export function meets(
  eb: ExpressionBuilder<Listed, 'ws'>,
  context: TaggedContext,
  condition: TagCondition,
): Expression<SqlBool> {
  const { key, value } = bindingOf(condition)
  const bound = (wanted: TaggedWith) => {
    let query = eb.selectFrom('tag_bindings as own').select('own.id').whereRef('own.workspace_id', '=', 'ws.id')
    if (wanted.key !== undefined) query = query.where('own.key', '=', wanted.key)
    if (wanted.value !== undefined) query = query.where('own.value', '=', wanted.value)
    return eb.exists(query)
  }
  const inherited = [...projectsMeeting(context, { key, value })].map(([each, projectIds]) =>
    eb.and([eb('ws.project_id', 'in', projectIds), eb.not(bound({ key: each, value: undefined }))]),
  )
  const flat = 'name' in condition ? [hasFlatTag(eb, context, condition.name)] : []
  return eb.or([bound({ key, value }), ...inherited, ...flat])
}

const hasFlatTag = (eb: ExpressionBuilder<Listed, 'ws'>, { organizationId }: TaggedContext, name: string) =>
  eb.exists(
    eb
      .selectFrom('workspace_tags as attached')
      .select('attached.tag_id')
      .whereRef('attached.workspace_id', '=', 'ws.id')
      .where('attached.tag_id', '=', (tag) =>
        tag
          .selectFrom('tags')
          .select('tags.id')
          .where('tags.organization_id', '=', organizationId)
          .where('tags.name', '=', foldTagName(name)),
      ),
  )
