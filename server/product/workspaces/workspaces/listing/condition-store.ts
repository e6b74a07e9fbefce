import { type RawBuilder, sql } from 'kysely'
import type { VisibleWorkspaces } from '../../../../access/permissions/index.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import { isRemote, type Queryable } from '../../../../storage/open.ts'
import { contains, likeWildcard } from '../../../../storage/search.ts'
import { foldTagName } from '../tagging/tag.ts'
import type { KeyValue } from '../tagging/tag-binding.ts'
import type { ListScope, TaggedWith, Wildcard, WorkspaceFilter } from './workspace-list.ts'

/** A workspace, by its number in SQLite, whose name is not in the index of parts of names yet. Triggers write it. */
interface UnindexedNameRow {
  number: number
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    unindexed_names: UnindexedNameRow
  }
}

/** A piece of SQL. */
export type Sql = RawBuilder<unknown>

/** One condition of a list. It selects workspaces of one organization only. */
export type Condition = {
  /** Tells it from all others. */
  readonly key: string
  /** True for a workspace `ws` that meets it, whose id is given; cheap for one. */
  readonly meets: (id: Sql) => Sql
  /** Selects the ids of all that meet it, each once. */
  readonly ids: Sql
  /** Selects the same where there are more than so many, for which `ids` takes longer. */
  readonly scan?: { readonly above: number; readonly ids: Sql }
  /** Selects how many meet it, where that is shorter than counting the ids. */
  readonly count?: Sql
  /** The same as `meets`, as an index has it in which workspaces stand in order of creation. */
  readonly byCreation?: Sql
  /** When others meet it: with a new version of `workspaces`, unless this says otherwise. */
  readonly changes?: 'with any write' | 'with time'
}

/** A list has the workspaces that meet all of the first conditions and none of the others. */
export type Conditions = { readonly all: readonly Condition[]; readonly none: readonly Condition[] }

/** SQLite keeps no figures about the content of tables, so it is told where an index is better than those it would take. */
const indexedBy = (db: Queryable, index: string): Sql => (isRemote(db) ? sql`` : sql`indexed by ${sql.raw(index)}`)

/** This index has almost all that lists are narrowed and sorted by. */
export const byFacts = (db: Queryable): Sql => indexedBy(db, 'workspaces_facts')

const ofProjects = (db: Queryable): Sql => indexedBy(db, 'tag_bindings_of_projects')

const inList = (column: Sql, values: readonly string[]): Sql =>
  values.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.join(values)})`

/**
 * With an offset both engines look into the index, once for each workspace. Without, PostgreSQL may read the whole table
 * for the first, and SQLite may begin with it.
 */
const exists = (query: Sql): Sql => sql`exists (${query} limit 1 offset 0)`

const joined = (parts: readonly Sql[], between: ' or ' | ' union ' | ' union all '): Sql =>
  sql`${sql.join(parts, sql.raw(between))}`

/** Whose list it is, as of now. */
export type ListContext = {
  readonly db: Queryable
  readonly scope: ListScope & { readonly key: string }
  /** How many workspaces the organization has. */
  readonly size: number
  readonly now: Instant
}

/** The conditions of a filter. */
export async function conditionsOf(context: ListContext, filter: WorkspaceFilter): Promise<Conditions> {
  const { db, scope, now } = context
  const { organizationId, visible } = scope
  const words = await loadTagWords(db, organizationId, filter)
  const tagged = [...filter.tagged, ...filter.tags.map((name) => ({ name }))]
  const excluded = filter.excludeTags.map((name) => ({ name }))
  const given = <V>(value: V | undefined, condition: (value: V) => Condition): Condition[] =>
    value === undefined ? [] : [condition(value)]
  return {
    all: [
      ...(visible.kind === 'all' ? [] : [seen(db, scope, visible)]),
      ...tagged.map((each) => taggedWith([each], waysToMeet(words, each))),
      ...given(filter.projectId, (id) => ofProject(organizationId, id)),
      ...given(filter.nameContains, (text) => named(context, contains('ws.name_key', text), { text })),
      ...given(filter.nameLike, (like) => named(context, likeWildcard('ws.name_key', like), like)),
      ...given(filter.toolVersion, (version) => withToolVersion(organizationId, version)),
      ...given(filter.updatedSince, (time) => updatedSince(organizationId, time)),
      ...(filter.runStatuses.length > 0 ? [nothing] : []),
      ...(filter.locked === true ? [locked(db, organizationId, now)] : []),
    ],
    none: [
      ...(excluded.length > 0
        ? [
            taggedWith(
              excluded,
              excluded.flatMap((each) => waysToMeet(words, each)),
            ),
          ]
        : []),
      ...(filter.locked === false ? [locked(db, organizationId, now)] : []),
    ],
  }
}

/** Of callers who do not see all. Indexes: workspaces_project, team_workspace_access_pair. */
function seen(
  db: Queryable,
  { organizationId, teamIds, key }: ListScope & { readonly key: string },
  { projectIds, workspaceIds }: Extract<VisibleWorkspaces, { kind: 'some' }>,
): Condition {
  const teams = inList(sql`access.team_id`, workspaceIds.length > 0 ? teamIds : [])
  const single = sql`select distinct access.workspace_id as id from team_workspace_access as access where ${teams}`
  const inProjects = inList(sql`ws.project_id`, projectIds)
  const access = (id: Sql) =>
    exists(sql`select 1 from team_workspace_access as access where access.workspace_id = ${id} and ${teams}`)
  return {
    key,
    meets: (id) => sql`(${inProjects} or ${access(id)})`,
    ids: sql`select ws.id from workspaces as ws where ${inProjects} union ${single}`,
    count: sql`select (select coalesce(sum(workspaces), 0) from workspace_counts
        where organization_id = ${organizationId} and ${inList(sql`project_id`, projectIds)})
      + (select count(*) from (${single}) as single cross join workspaces as ws ${byFacts(db)}
        where ws.id = single.id and not (${inProjects})) as total`,
  }
}

/** Index: workspaces_project. */
const ofProject = (organizationId: string, id: string): Condition => ({
  key: `project ${id}`,
  meets: () => sql`ws.project_id = ${id}`,
  ids: sql`select id from workspaces
    where project_id in (select id from projects where id = ${id} and organization_id = ${organizationId})`,
  count: sql`select coalesce(sum(workspaces), 0) as total from workspace_counts
    where organization_id = ${organizationId} and project_id = ${id}`,
  byCreation: sql`ws.project_id = ${id}`,
})

type NamePattern = { readonly text: string } & Partial<Wildcard>

/** The shortest text of which an index knows where it is in names, and the smallest organization for which that is used. */
const trigramLength = 3
const largeOrganization = 20_000

/**
 * Index: workspaces_created, which has all names. Where they are many, PostgreSQL has workspaces_name_parts instead, if it
 * could be made, and SQLite the table workspace_names. What that finds may be outdated, so each name is compared.
 */
function named({ db, scope, size }: ListContext, pattern: Sql, { text, ...ends }: NamePattern): Condition {
  const isMeant = sql`ws.organization_id = ${scope.organizationId} and ${pattern}`
  const scanned = sql`select ws.id from workspaces as ws where ${isMeant}`
  const condition = { key: `name ${JSON.stringify([text, ends])}`, meets: () => pattern, ids: scanned }
  const parts = trigramsOf(text)
  if (isRemote(db) || parts.length === 0 || size < largeOrganization) return condition
  const ids = sql`select ws.id from (
      select rowid as number from workspace_names
        where workspace_names match ${parts.join(' AND ')} and rowid not in (select number from unindexed_names)
      union all select number from unindexed_names
    ) as named cross join workspaces as ws where ws.rowid = named.number and ${isMeant}`
  return { ...condition, ids, scan: { above: size / 50, ids: scanned } }
}

/** All parts of a text of the length that is indexed, as the index is asked for them. */
const trigramsOf = (text: string): string[] =>
  /^[a-z0-9_-]+$/.test(text)
    ? Array.from(
        { length: Math.max(0, text.length - trigramLength + 1) },
        (_, at) => `"${text.slice(at, at + trigramLength)}"`,
      )
    : []

/** Index: workspaces_name. */
export const namedAfter = (organizationId: string, name: string): Condition => ({
  key: `after ${name}`,
  meets: () => sql`ws.name > ${name}`,
  ids: sql`select id from workspaces where organization_id = ${organizationId} and name > ${name}`,
})

/** Index: workspaces_tool_version. */
const withToolVersion = (organizationId: string, version: string): Condition => ({
  key: `tool ${version}`,
  meets: () => sql`ws.tool_version = ${version}`,
  ids: sql`select id from workspaces where organization_id = ${organizationId} and tool_version = ${version}`,
  byCreation: sql`ws.organization_id = ${organizationId} and ws.tool_version = ${version}`,
})

/** Index: workspaces_updated. */
const updatedSince = (organizationId: string, time: Instant): Condition => ({
  key: `since ${time}`,
  meets: () => sql`ws.updated_at >= ${time}`,
  ids: sql`select id from workspaces where organization_id = ${organizationId} and updated_at >= ${time}`,
  changes: 'with any write',
})

/** Index: workspaces_locked, which has all that is needed. */
function locked(db: Queryable, organizationId: string, now: Instant): Condition {
  const held = sql`workspaces as held ${indexedBy(db, 'workspaces_locked')}`
  const inForce = sql`held.organization_id = ${organizationId} and held.locked_at is not null
    and (held.lock_expires_at is null or held.lock_expires_at > ${now})`
  return {
    key: 'locked',
    meets: (id) =>
      exists(sql`select 1 from ${held} where held.id = ${id} and held.created_at = ws.created_at and ${inForce}`),
    ids: sql`select held.id from ${held} where ${inForce}`,
    changes: 'with time',
  }
}

/** What is asked of the tags of a workspace: an effective binding, or a name that is a flat tag or the key of a binding. */
type TagCondition = TaggedWith | { readonly name: string }

/** What words of tag conditions stand for in an organization. */
type TagWords = {
  readonly db: Queryable
  readonly organizationId: string
  /** Flat tags by name. */
  readonly tagIds: ReadonlyMap<string, string>
  /** Names that workspaces bind as keys. */
  readonly keys: ReadonlySet<string>
  /** What projects bind. */
  readonly inheritable: readonly KeyValue[]
}

async function loadTagWords(
  db: Queryable,
  organizationId: string,
  { tags, excludeTags, tagged }: WorkspaceFilter,
): Promise<TagWords> {
  const names = [...new Set([...tags, ...excludeTags])]
  const keys = [...names, ...tagged.flatMap(({ key }) => key ?? [])]
  const values = tagged.flatMap(({ key, value }) => (key === undefined ? (value ?? []) : []))
  const none = { db, organizationId, tagIds: new Map(), keys: new Set<string>(), inheritable: [] }
  if (keys.length + values.length === 0) return none
  const { rows: inheritable } = await sql<KeyValue>`select distinct key, value from tag_bindings ${ofProjects(db)}
    where organization_id = ${organizationId} and project_id is not null
    and (${inList(sql`key`, keys)} or ${inList(sql`value`, values)})`.execute(db)
  if (names.length === 0) return { ...none, inheritable }
  // Index: tags_name.
  const flat = await sql<{ id: string; name: string }>`select id, name from tags
    where organization_id = ${organizationId} and ${inList(sql`name`, names.map(foldTagName))}`.execute(db)
  // Index: tag_bindings_key.
  const bound = names.map(
    (name) => sql`select * from (select key from tag_bindings
      where organization_id = ${organizationId} and key = ${name} and workspace_id is not null limit 1) as bound`,
  )
  const used = await sql<{ key: string }>`${joined(bound, ' union all ')}`.execute(db)
  return {
    ...none,
    tagIds: new Map(flat.rows.map(({ name, id }) => [name, id])),
    keys: new Set(used.rows.map(({ key }) => key)),
    inheritable,
  }
}

/** One way to meet a condition about tags. */
type Way = Pick<Condition, 'meets' | 'ids'> & { readonly kind: 'flat' | 'binding' | 'value' }

/** The ways in which workspaces can meet a condition: none, if nothing of that name exists. */
function waysToMeet({ db, organizationId, tagIds, keys, inheritable }: TagWords, condition: TagCondition): Way[] {
  const { key, value } = 'name' in condition ? { key: condition.name, value: undefined } : condition
  const tagId = 'name' in condition ? tagIds.get(foldTagName(condition.name)) : undefined
  const isBound = !('name' in condition) || keys.has(condition.name)
  const isInherited = inheritable.some((each) => (key ?? each.key) === each.key && (value ?? each.value) === each.value)
  const kind = key === undefined ? 'value' : 'binding'
  return [
    ...(tagId === undefined ? [] : [withFlatTag(tagId)]),
    ...(isBound ? [{ kind, ...withBinding(organizationId, key, value) } as const] : []),
    ...(isInherited ? [{ kind, ...withInherited(db, organizationId, key, value) } as const] : []),
  ]
}

/** Index: workspace_tags_key. */
const withFlatTag = (tagId: string): Way => ({
  kind: 'flat',
  meets: (id) =>
    exists(sql`select 1 from workspace_tags as flat where flat.tag_id = ${tagId} and flat.workspace_id = ${id}`),
  ids: sql`select workspace_id as id from workspace_tags where tag_id = ${tagId}`,
})

const isPair = (table: string, key: string | undefined, value: string | undefined): Sql => sql`
  ${key === undefined ? sql`1 = 1` : sql`${sql.ref(`${table}.key`)} = ${key}`}
  and ${value === undefined ? sql`1 = 1` : sql`${sql.ref(`${table}.value`)} = ${value}`}`

/** Indexes: tag_bindings_key, tag_bindings_value; for one workspace tag_bindings_workspace. */
function withBinding(
  organizationId: string,
  key: string | undefined,
  value: string | undefined,
): Pick<Condition, 'meets' | 'ids'> {
  const isWanted = isPair('own', key, value)
  return {
    meets: (id) => exists(sql`select 1 from tag_bindings as own where own.workspace_id = ${id} and ${isWanted}`),
    ids: sql`select own.workspace_id as id from tag_bindings as own
      where own.organization_id = ${organizationId} and own.workspace_id is not null and ${isWanted}`,
  }
}

/**
 * A project's binding counts for those of its workspaces that do not bind the key themselves.
 * Indexes: tag_bindings_of_projects, workspaces_project; for one workspace tag_bindings_project, tag_bindings_workspace.
 */
function withInherited(db: Queryable, organizationId: string, key: string | undefined, value: string | undefined) {
  const isWanted = isPair('inherited', key, value)
  const isOwn = sql`exists (select 1 from tag_bindings as own where own.workspace_id = ws.id and own.key = inherited.key)`
  return {
    meets: () =>
      exists(sql`select 1 from tag_bindings as inherited
      where inherited.project_id = ws.project_id and ${isWanted} and not ${isOwn}`),
    ids: sql`select ws.id from tag_bindings as inherited ${ofProjects(db)} cross join workspaces as ws
      where inherited.organization_id = ${organizationId} and inherited.project_id is not null and ${isWanted}
      and ws.project_id = inherited.project_id and not ${isOwn}`,
  }
}

const nothing: Condition = { key: 'nothing', meets: () => sql`1 = 0`, ids: sql`select id from workspaces where 1 = 0` }

/** Of what is wanted about tags, with all ways to meet it. */
function taggedWith(wanted: readonly TagCondition[], ways: readonly Way[]): Condition {
  if (ways.length === 0) return nothing
  // Workspaces that bind a key do not inherit it. Other ways may lead to one workspace twice.
  const isOnce = wanted.length === 1 && (ways.length === 1 || ways.every(({ kind }) => kind === 'binding'))
  const ids = joined(
    ways.map((way) => way.ids),
    ' union all ',
  )
  return {
    key: `tags ${JSON.stringify(wanted)}`,
    meets: (id) =>
      sql`(${joined(
        ways.map(({ meets }) => meets(id)),
        ' or ',
      )})`,
    ids: isOnce && ways[0]?.kind !== 'value' ? ids : sql`select distinct id from (${ids}) as tagged`,
  }
}
