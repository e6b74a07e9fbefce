import { type SelectQueryBuilder, sql } from 'kysely'
import type { Instant } from '../../../../kernel/clock.ts'
import type { Queryable } from '../../../../storage/open.ts'
import { contains, likeWildcard } from '../../../../storage/search.ts'
import type { Listed, TaggedContext } from './tagged-store.ts'
import type { ListScope, WorkspaceFilter } from './workspace-list.ts'

/** A query for workspaces of a list. */
export type ListQuery<O> = SelectQueryBuilder<Listed, 'ws', O>

/** The conditions of a list. */
export type ListConditions = {
  readonly scope: ListScope
  readonly filter: WorkspaceFilter
  readonly tagged: TaggedContext
  /** Locks that have ended by now do not count. */
  readonly now: Instant
}

/** If there are more ids than this, they are looked up through the teams that grant them. */
const maxListedIds = 1_000

/** A condition that fewer workspaces meet than this is worth starting from. */
export const rareLimit = 10_000

/** Conditions on a column with an index that few workspaces meet. */
export type RareColumns = ReadonlySet<'toolVersion' | 'updatedSince'>

/** Finds out which conditions are worth starting from: SQLite does not know how many workspaces meet them. */
export async function findRareColumns(db: Queryable, { scope, filter }: ListConditions): Promise<RareColumns> {
  const { toolVersion, updatedSince } = filter
  const ofOrganization = db
    .selectFrom('workspaces')
    .select('organization_id')
    .where('organization_id', '=', scope.organizationId)
  const isRare = async (some: typeof ofOrganization): Promise<boolean> => {
    const counted = db
      .selectFrom(some.limit(rareLimit).as('some'))
      .select(({ fn }) => fn.countAll<number>().as('count'))
    return Number((await counted.executeTakeFirstOrThrow()).count) < rareLimit
  }
  const rare = new Set<'toolVersion' | 'updatedSince'>()
  if (toolVersion !== undefined && (await isRare(ofOrganization.where('tool_version', '=', toolVersion))))
    rare.add('toolVersion')
  if (updatedSince !== undefined && (await isRare(ofOrganization.where('updated_at', '>=', updatedSince))))
    rare.add('updatedSince')
  return rare
}

/** Adds all conditions but those about tags. */
export function narrowQuery(
  query: ListQuery<unknown>,
  { scope, filter, now }: ListConditions,
  rare: RareColumns,
): ListQuery<unknown> {
  let narrow = query
  if (filter.nameContains !== undefined) narrow = narrow.where(contains('ws.name_key', filter.nameContains))
  if (filter.nameLike) narrow = narrow.where(likeWildcard('ws.name_key', filter.nameLike))
  if (filter.projectId !== undefined) narrow = narrow.where('ws.project_id', '=', filter.projectId)
  if (filter.runStatuses.length > 0) narrow = narrow.where(sql<boolean>`1 = 0`)
  return onlyVisible(byLock(byColumns(narrow, filter, rare), filter.locked, now), scope)
}

/**
 * Conditions that many workspaces meet are written so that no index serves them: a list would start from it and sort
 * nearly all workspaces for each page.
 */
function byColumns(
  query: ListQuery<unknown>,
  { toolVersion, updatedSince }: WorkspaceFilter,
  rare: RareColumns,
): ListQuery<unknown> {
  let narrow = query
  if (toolVersion !== undefined) {
    narrow = rare.has('toolVersion')
      ? narrow.where('ws.tool_version', '=', toolVersion)
      : narrow.where(sql<boolean>`${sql.ref('ws.tool_version')} || '' = ${toolVersion}`)
  }
  if (updatedSince !== undefined) {
    narrow = rare.has('updatedSince')
      ? narrow.where('ws.updated_at', '>=', updatedSince)
      : narrow.where(sql<boolean>`+${sql.ref('ws.updated_at')} >= ${updatedSince}`)
  }
  return narrow
}

/**
 * No index serves this: it would be written with every lock and unlock, which nearly doubles what these cost on
 * PostgreSQL.
 */
function byLock(query: ListQuery<unknown>, locked: boolean | undefined, now: Instant): ListQuery<unknown> {
  if (locked === undefined) return query
  return query.where((eb) =>
    locked
      ? eb.and([
          eb('ws.locked_at', 'is not', null),
          eb.or([eb('ws.lock_expires_at', 'is', null), eb('ws.lock_expires_at', '>', now)]),
        ])
      : eb.or([eb('ws.locked_at', 'is', null), eb('ws.lock_expires_at', '<=', now)]),
  )
}

function onlyVisible(query: ListQuery<unknown>, { visible, teamIds }: ListScope): ListQuery<unknown> {
  if (visible.kind === 'all') return query
  const { projectIds, workspaceIds } = visible
  return query.where((eb) => {
    const granted = eb.selectFrom('team_workspace_access').select('workspace_id').where('team_id', 'in', teamIds)
    const single = eb('ws.id', 'in', workspaceIds.length <= maxListedIds ? workspaceIds : granted)
    return eb.or([eb('ws.project_id', 'in', projectIds), single])
  })
}
