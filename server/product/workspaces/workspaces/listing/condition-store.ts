import { type RawBuilder, sql } from 'kysely'
import type { Instant } from '../../../../kernel/clock.ts'
import { isRemote, type Queryable } from '../../../../storage/open.ts'
import { contains, likeWildcard } from '../../../../storage/search.ts'
import { foldTagName } from '../tagging/tag.ts'
import type { KeyedScope, TaggedWith, Wildcard, WorkspaceFilter } from './workspace-list.ts'

/** A workspace, by its number in SQLite, whose name is not in `workspace_names` yet. Triggers write it. */
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
  /** True for a workspace `ws` with this id that meets it; cheap for one. */
  readonly meets: (id: Sql) => Sql
  /** Selects the ids of all that meet it, each once. */
  readonly ids: Sql
  /** Selects the same faster than `ids`, if there are more than so many. */
  readonly scan?: { readonly above: number; readonly ids: Sql }
  /** True if `meets` looks at nothing but the id. */
  readonly isById?: boolean
  /** Selects from `ws` what meets it by an index in which workspaces stand in order of creation. */
  readonly byCreation?: Sql
  /** When others meet it: with a new version of `workspaces`, unless this says otherwise. */
  readonly changes?: 'with any write' | 'with time'
}

/** A list has the workspaces that meet all of the first conditions and none of the others. */
export type Conditions = { readonly all: readonly Condition[]; readonly none: readonly Condition[] }

/** Whose list it is, as of now. */
export type ListContext = {
  readonly db: Queryable
  readonly scope: KeyedScope
  /** How many workspaces the organization has. */
  readonly size: number
  readonly now: Instant
}

/** Joins pieces by a word; false if there are none. */
export const joined = (parts: readonly Sql[], word: 'and' | 'or' | 'union all'): Sql =>
  parts.length === 0 ? sql`1 = 0` : sql.join(parts, sql.raw(` ${word} `))

const inList = (column: string, values: readonly string[]): Sql =>
  values.length === 0 ? sql`1 = 0` : sql`${sql.ref(column)} in (${sql.join(values)})`

/**
 * With an offset both engines look into the index once for each workspace. Without, PostgreSQL may read the whole table
 * for the first, and SQLite may begin with it.
 */
const exists = (query: Sql): Sql => sql`exists (${query} limit 1 offset 0)`

/** SQLite keeps no figures about the content of tables, so it is told which index is better than those it would take. */
const indexedBy = (db: Queryable, index: string): Sql => (isRemote(db) ? sql`` : sql.raw(`indexed by ${index}`))

/** Workspaces by an index that has almost all by which lists are narrowed and sorted. */
export const facts = (db: Queryable): Sql => sql`workspaces as ws ${indexedBy(db, 'workspaces_facts')}`

/** The conditions of a filter. */
export async function conditionsOf(context: ListContext, filter: WorkspaceFilter): Promise<Conditions> {
  const words = await loadTagWords(context, filter)
  const given = <V>(value: V | undefined, condition: (context: ListContext, value: V) => Condition): Condition[] =>
    value === undefined ? [] : [condition(context, value)]
  const tagged = [...filter.tagged, ...filter.tags.map((name) => ({ name }))]
  const excluded = filter.excludeTags.map((name) => ({ name }))
  return {
    all: [
      ...given(context.scope.visible.kind === 'some' ? context.scope.visible : undefined, seen),
      ...tagged.map((each) => taggedWith(words, [each])),
      ...given(filter.projectId, ofProject),
      ...given(filter.nameContains, (_, text) => named(context, { text }, contains('ws.name_key', text))),
      ...given(filter.nameLike, (_, like) => named(context, like, likeWildcard('ws.name_key', like))),
      ...given(filter.toolVersion, withToolVersion),
      ...given(filter.names, withNames),
      ...given(filter.updatedSince, updatedSince),
      ...given(filter.locked || undefined, locked),
      ...given(filter.runStatuses.length > 0 ? filter.runStatuses : undefined, withRunStatus),
    ],
    none: [
      ...(excluded.length > 0 ? [taggedWith(words, excluded)] : []),
      ...given(filter.locked === false ? true : undefined, locked),
    ],
  }
}

const nothing: Condition = { key: 'nothing', meets: () => sql`1 = 0`, ids: sql`select id from workspaces where 1 = 0` }

type SomeVisible = { readonly projectIds: readonly string[]; readonly workspaceIds: readonly string[] }

/** Indexes: workspaces_project, team_workspace_access_pair. */
function seen({ db, scope }: ListContext, { projectIds, workspaceIds }: SomeVisible): Condition {
  const ofTeams = inList('access.team_id', workspaceIds.length > 0 ? scope.teamIds : [])
  const inProjects = inList('ws.project_id', projectIds)
  return {
    key: scope.key,
    meets: (id) => {
      const single = sql`select 1 from team_workspace_access as access where access.workspace_id = ${id} and ${ofTeams}`
      return sql`(${inProjects} or ${exists(single)})`
    },
    ids: sql`select ws.id from workspaces as ws where ${inProjects} union all
      select ws.id from (select distinct workspace_id as id from team_workspace_access as access where ${ofTeams}) as single
      cross join ${facts(db)} where ws.id = single.id and not (${inProjects})`,
    isById: projectIds.length === 0,
  }
}

/** Index: workspaces_project. */
const ofProject = ({ scope: { organizationId } }: ListContext, projectId: string): Condition => ({
  key: `project ${projectId}`,
  meets: () => sql`ws.project_id = ${projectId}`,
  ids: sql`select id from workspaces
    where project_id in (select id from projects where id = ${projectId} and organization_id = ${organizationId})`,
  byCreation: sql`ws.project_id = ${projectId}`,
})

/** Index: workspaces_tool_version. */
const withToolVersion = ({ scope: { organizationId } }: ListContext, version: string): Condition => ({
  key: `tool ${version}`,
  meets: () => sql`ws.tool_version = ${version}`,
  ids: sql`select id from workspaces where organization_id = ${organizationId} and tool_version = ${version}`,
  byCreation: sql`ws.organization_id = ${organizationId} and ws.tool_version = ${version}`,
})

/** Index: workspaces_run_status. */
const withRunStatus = ({ scope: { organizationId } }: ListContext, statuses: readonly string[]): Condition => ({
  key: `runs ${JSON.stringify(statuses)}`,
  meets: () => inList('ws.current_run_status', statuses),
  ids: sql`select id from workspaces
    where organization_id = ${organizationId} and ${inList('current_run_status', statuses)}`,
  changes: 'with any write',
})

/** Index: workspaces_updated. */
const updatedSince = ({ scope: { organizationId } }: ListContext, time: Instant): Condition => ({
  key: `since ${time}`,
  meets: () => sql`ws.updated_at >= ${time}`,
  ids: sql`select id from workspaces where organization_id = ${organizationId} and updated_at >= ${time}`,
  changes: 'with any write',
})

/** Index: workspaces_name. */
export const namedAfter = (organizationId: string, name: string): Condition => ({
  key: `after ${name}`,
  meets: () => sql`ws.name > ${name}`,
  ids: sql`select id from workspaces where organization_id = ${organizationId} and name > ${name}`,
})

/** Index: workspaces_name. */
export const withName = (organizationId: string, name: string): Condition => ({
  key: `is ${name}`,
  meets: () => sql`ws.name = ${name}`,
  ids: sql`select id from workspaces where organization_id = ${organizationId} and name = ${name}`,
})

/** Index: workspaces_name. */
const withNames = ({ scope: { organizationId } }: ListContext, names: readonly string[]): Condition => ({
  key: `names ${JSON.stringify(names)}`,
  meets: () => inList('ws.name', names),
  ids: sql`select id from workspaces where organization_id = ${organizationId} and ${inList('name', names)}`,
})

/** Index: workspaces_locked. It has all that SQLite needs, which would otherwise read the row. */
function locked({ db, scope, now }: ListContext): Condition {
  const held = sql`workspaces as held ${indexedBy(db, 'workspaces_locked')}`
  const isHeld = (row: 'ws' | 'held') => sql`${sql.ref(`${row}.organization_id`)} = ${scope.organizationId}
    and ${sql.ref(`${row}.locked_at`)} is not null
    and (${sql.ref(`${row}.lock_expires_at`)} is null or ${sql.ref(`${row}.lock_expires_at`)} > ${now})`
  return {
    key: 'locked',
    meets: (id) =>
      isRemote(db) ? isHeld('ws') : exists(sql`select 1 from ${held} where ${isHeld('held')} and held.id = ${id}`),
    ids: sql`select held.id from ${held} where ${isHeld('held')}`,
    isById: !isRemote(db),
    changes: 'with time',
  }
}

/** In smaller organizations all names are looked at. */
const largeOrganization = 20_000

/**
 * Index: workspaces_created has all names. Where they are many, PostgreSQL takes workspaces_name_parts, and SQLite the
 * table `workspace_names`. That knows which names have three characters in a row, or had: each is compared.
 */
function named({ db, scope, size }: ListContext, like: { text: string } & Partial<Wildcard>, isLike: Sql): Condition {
  const isMeant = sql`ws.organization_id = ${scope.organizationId} and ${isLike}`
  const scanned = sql`select ws.id from workspaces as ws where ${isMeant}`
  const condition = { key: `name ${JSON.stringify(like)}`, meets: () => isLike, ids: scanned }
  const starts = [...like.text.slice(2)].keys()
  const parts = [...starts].map((at) => `"${like.text.slice(at, at + 3)}"`)
  if (isRemote(db) || size < largeOrganization || parts.length === 0 || /[^a-z0-9_-]/.test(like.text)) return condition
  const unindexed = sql`select number from unindexed_names`
  const found = sql`select rowid as number from workspace_names
    where workspace_names match ${parts.join(' AND ')} and rowid not in (${unindexed}) union all ${unindexed}`
  const ids = sql`select ws.id from (${found}) as found cross join workspaces as ws
    where ws.rowid = found.number and ${isMeant}`
  return { ...condition, ids, scan: { above: size / 50, ids: scanned } }
}

/** What is asked of the tags of a workspace: an effective binding, or a name that is a flat tag or the key of a binding. */
type TagCondition = TaggedWith | { readonly name: string }

/** What the words of tag conditions are in an organization: names of flat tags, keys that workspaces bind, what projects bind. */
type TagWords = Pick<ListContext, 'db'> & {
  readonly organizationId: string
  readonly words: readonly { readonly kind: 'tag' | 'key' | 'project'; readonly key: string; readonly value: string }[]
}

/** Indexes: tags_name, tag_bindings_key, tag_bindings_of_projects. */
async function loadTagWords(
  { db, scope: { organizationId } }: ListContext,
  filter: WorkspaceFilter,
): Promise<TagWords> {
  const names = [...new Set([...filter.tags, ...filter.excludeTags])]
  const keys = [...names, ...filter.tagged.flatMap(({ key }) => key ?? [])]
  const values = filter.tagged.flatMap(({ key, value }) => (key === undefined ? (value ?? []) : []))
  if (keys.length + values.length === 0) return { db, organizationId, words: [] }
  const ofOrganization = sql`where organization_id = ${organizationId} and`
  const { rows } = await sql<TagWords['words'][number]>`
    select 'tag' as kind, name as key, id as value from tags ${ofOrganization} ${inList('name', names.map(foldTagName))}
    union all select distinct 'project', key, value from tag_bindings ${indexedBy(db, 'tag_bindings_of_projects')}
      ${ofOrganization} project_id is not null and (${inList('key', keys)} or ${inList('value', values)})
    ${sql.join(
      names.map(
        (name) => sql`union all select * from (select 'key', key, '' from tag_bindings
          ${ofOrganization} key = ${name} and workspace_id is not null limit 1) as bound`,
      ),
      sql` `,
    )}`.execute(db)
  return { db, organizationId, words: rows }
}

/** Those that meet any of some conditions about tags. */
function taggedWith(words: TagWords, wanted: readonly TagCondition[]): Condition {
  const ways = wanted.flatMap((each) => waysToMeet(words, each))
  if (ways.length === 0) return nothing
  // Only who does not bind a key inherits it. Other ways may lead to one workspace twice.
  const isOnce = wanted.length === 1 && ways.every(({ of }) => of === 'key' || (of === 'tag' && ways.length === 1))
  const ids = joined(
    ways.map((way) => way.ids),
    'union all',
  )
  return {
    key: `tags ${JSON.stringify(wanted)}`,
    meets: (id) =>
      sql`(${joined(
        ways.map(({ meets }) => meets(id)),
        'or',
      )})`,
    ids: isOnce ? ids : sql`select distinct id from (${ids}) as tagged`,
    isById: ways.every(({ isById }) => isById),
  }
}

/** A way to meet a condition about tags. */
type Way = Pick<Condition, 'meets' | 'ids' | 'isById'> & { readonly of: 'tag' | 'key' | 'value' }

function waysToMeet({ db, organizationId, words }: TagWords, condition: TagCondition): Way[] {
  const name = 'name' in condition ? condition.name : undefined
  const { key, value } = 'name' in condition ? { key: condition.name, value: undefined } : condition
  const of = key === undefined ? 'value' : 'key'
  const isPair = (table: string) =>
    joined(
      [
        ...(key === undefined ? [] : [sql`${sql.ref(`${table}.key`)} = ${key}`]),
        ...(value === undefined ? [] : [sql`${sql.ref(`${table}.value`)} = ${value}`]),
      ],
      'and',
    )
  const tag =
    name === undefined ? undefined : words.find((word) => word.kind === 'tag' && word.key === foldTagName(name))
  const isBound = name === undefined || words.some((word) => word.kind === 'key' && word.key === name)
  const isInherited = words.some(
    (word) => word.kind === 'project' && word.key === (key ?? word.key) && word.value === (value ?? word.value),
  )
  return [
    ...(tag ? [withFlatTag(tag.value)] : []),
    ...(isBound ? [{ of, ...withBinding(organizationId, isPair('own')) } as const] : []),
    ...(isInherited ? [{ of, ...withInherited(db, organizationId, isPair('inherited')) } as const] : []),
  ]
}

/** Index: workspace_tags_key. */
const withFlatTag = (tagId: string): Way => ({
  of: 'tag',
  meets: (id) => exists(sql`select 1 from workspace_tags where tag_id = ${tagId} and workspace_id = ${id}`),
  ids: sql`select workspace_id as id from workspace_tags where tag_id = ${tagId}`,
  isById: true,
})

/** Indexes: tag_bindings_key, tag_bindings_value; for one workspace tag_bindings_workspace. */
const withBinding = (organizationId: string, isPair: Sql) => ({
  meets: (id: Sql) => exists(sql`select 1 from tag_bindings as own where own.workspace_id = ${id} and ${isPair}`),
  ids: sql`select own.workspace_id as id from tag_bindings as own
    where own.organization_id = ${organizationId} and own.workspace_id is not null and ${isPair}`,
  isById: true,
})

/**
 * A project's binding counts for those of its workspaces that do not bind the key themselves. Indexes:
 * tag_bindings_of_projects, workspaces_project; for one workspace tag_bindings_project, tag_bindings_workspace.
 */
function withInherited(db: Queryable, organizationId: string, isPair: Sql) {
  const own = sql`select 1 from tag_bindings as own where own.workspace_id = ws.id and own.key = inherited.key`
  return {
    meets: () =>
      exists(sql`select 1 from tag_bindings as inherited
        where inherited.project_id = ws.project_id and ${isPair} and not exists (${own})`),
    ids: sql`select ws.id from tag_bindings as inherited ${indexedBy(db, 'tag_bindings_of_projects')}
      cross join workspaces as ws
      where inherited.organization_id = ${organizationId} and inherited.project_id is not null and ${isPair}
      and ws.project_id = inherited.project_id and not exists (${own})`,
  }
}
