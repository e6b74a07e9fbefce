import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Queryable } from '../../../../storage/open.ts'
import type { DescribedTables } from '../../../../storage/tables.ts'
import { foldTagName } from '../tagging/tag.ts'
import type { KeyValue } from '../tagging/tag-binding.ts'
import type { WorkspaceRow } from '../workspace-row-store.ts'
import type { TaggedWith } from './workspace-list.ts'

/** The keys and values that projects of an organization bind, each once: most organizations have none. */
export async function loadInheritable(db: Queryable, organizationId: string): Promise<KeyValue[]> {
  return await db
    .selectFrom('tag_bindings')
    .select(['key', 'value'])
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('project_id', 'is not', null)
    .execute()
}

/** The tables of a query that lists workspaces, which are called `ws` in it. */
export type Listed = DescribedTables & { ws: WorkspaceRow }

/** What conditions about tags depend on. */
export type TaggedContext = {
  readonly organizationId: string
  readonly inheritable: readonly KeyValue[]
}

/** A condition about tags: an effective binding, or a name that is a flat tag or the key of a binding. */
export type TagCondition = TaggedWith | { readonly name: string }

const bindingOf = (condition: TagCondition): TaggedWith =>
  'name' in condition ? { key: condition.name, value: undefined } : condition

/** False if no project binds this, so that queries need not look for workspaces that inherit it. */
const isInheritable = ({ inheritable }: TaggedContext, wanted: TaggedWith): boolean =>
  inheritable.some(({ key, value }) => (wanted.key ?? key) === key && (wanted.value ?? value) === value)

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
  const query = isInheritable(context, { key, value })
    ? direct.unionAll(inheritingWorkspaces(db, organizationId, { key, value }))
    : direct
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

/**
 * A project's binding counts for those of its workspaces that do not bind the key themselves. Few projects have
 * bindings: SQLite keeps the order of a cross join, so it starts from them and not from all workspaces.
 */
function inheritingWorkspaces(db: Queryable, organizationId: string, { key, value }: TaggedWith) {
  let query = db
    .selectFrom('tag_bindings as inherited')
    .crossJoin('workspaces as heir')
    .select('heir.id as id')
    .where('inherited.organization_id', '=', organizationId)
    .where('inherited.workspace_id', 'is', null)
    .whereRef('heir.project_id', '=', 'inherited.project_id')
    .where((eb) => {
      const own = eb.selectFrom('tag_bindings as own').select('own.id').whereRef('own.workspace_id', '=', 'heir.id')
      return eb.not(eb.exists(own.where('own.key', '=', key ?? eb.ref('inherited.key'))))
    })
  if (key !== undefined) query = query.where('inherited.key', '=', key)
  if (value !== undefined) query = query.where('inherited.value', '=', value)
  return query
}

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
  let own = eb.selectFrom('tag_bindings as own').select('own.id').whereRef('own.workspace_id', '=', 'ws.id')
  if (key !== undefined) own = own.where('own.key', '=', key)
  if (value !== undefined) own = own.where('own.value', '=', value)
  const inherited = isInheritable(context, { key, value }) ? [inheritedBy(eb, { key, value })] : []
  const flat = 'name' in condition ? [flatTagOf(eb, context.organizationId, condition.name)] : []
  const others = [...inherited, ...flat]
  return others.length === 0 ? eb.exists(own) : eb.or([own, ...others].map((query) => eb.exists(askedPerRow(query))))
}

/**
 * PostgreSQL answers an `exists` that stands beside another by reading the whole table once, for all workspaces of all
 * organizations, although a list needs few of them. With an offset it looks into the index, once for each workspace.
 */
const askedPerRow = <Query extends { limit(count: 1): { offset(count: 0): Expression<unknown> } }>(query: Query) =>
  query.limit(1).offset(0)

function inheritedBy(eb: ExpressionBuilder<Listed, 'ws'>, { key, value }: TaggedWith) {
  let query = eb
    .selectFrom('tag_bindings as inherited')
    .select('inherited.id')
    .whereRef('inherited.project_id', '=', 'ws.project_id')
    .where((bound) => {
      const own = bound
        .selectFrom('tag_bindings as bound')
        .select('bound.id')
        .whereRef('bound.workspace_id', '=', 'ws.id')
      return bound.not(bound.exists(own.where('bound.key', '=', key ?? bound.ref('inherited.key'))))
    })
  if (key !== undefined) query = query.where('inherited.key', '=', key)
  if (value !== undefined) query = query.where('inherited.value', '=', value)
  return query
}

const flatTagOf = (eb: ExpressionBuilder<Listed, 'ws'>, organizationId: string, name: string) =>
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
    )
