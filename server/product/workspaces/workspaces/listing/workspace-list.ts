import type { VisibleWorkspaces } from '../../../../access/permissions/grants.ts'
import type { Instant } from '../../../../kernel/clock.ts'

/** A pattern with `*` at its beginning, its end, both or neither; anywhere else the star is an ordinary character. */
export type Wildcard = { readonly text: string; readonly openStart: boolean; readonly openEnd: boolean }

/** The effective tag binding that is asked for: its key, its value, or both. */
export type TaggedWith = { readonly key: string | undefined; readonly value: string | undefined }

/** Which workspaces a list shows. All conditions must be met. */
export type WorkspaceFilter = {
  /** In lower case, as `name_key` is. */
  readonly nameContains: string | undefined
  readonly nameLike: Wildcard | undefined
  /** Flat tags or keys of bindings that a workspace must have, all of them. */
  readonly tags: readonly string[]
  /** Those of which it must not have any. */
  readonly excludeTags: readonly string[]
  readonly projectId: string | undefined
  readonly tagged: readonly TaggedWith[]
  /** Statuses of the current run; while there are no runs, no workspace has any of them. */
  readonly runStatuses: readonly string[]
  /** True for those that somebody holds, false for those that are free. */
  readonly locked: boolean | undefined
  /** The tool version as it was set, not what it resolves to. */
  readonly toolVersion: string | undefined
  /** The earliest time of the latest change of settings. */
  readonly updatedSince: Instant | undefined
}

/** The filter that lets everything through. */
export const everyWorkspace: WorkspaceFilter = {
  nameContains: undefined,
  nameLike: undefined,
  tags: [],
  excludeTags: [],
  projectId: undefined,
  tagged: [],
  runStatuses: [],
  locked: undefined,
  toolVersion: undefined,
  updatedSince: undefined,
}

/** The keys that lists can be sorted by. */
export const sortKeys = ['name', 'current-run.created-at', 'latest-change-at'] as const

/** The order of a list. `created` is the default; it contains workspaces without runs, too. */
export type ListOrder = { readonly by: 'created' | 'name' | 'latest-change'; readonly descending: boolean }

/** Reads `*-prod`, `core*`, `*net*`. */
export function readWildcard(pattern: string): Wildcard {
  const openStart = pattern.startsWith('*')
  const openEnd = pattern.endsWith('*')
  const text = pattern.slice(openStart ? 1 : 0, openEnd ? -1 : undefined).toLowerCase()
  return { text, openStart, openEnd }
}

/** The order that was asked for. No workspace has a current run yet, so sorting by it leaves the order as it is. */
export function listOrder(
  sort: { readonly key: (typeof sortKeys)[number]; readonly descending: boolean } | undefined,
): ListOrder {
  if (sort?.key === 'name') return { by: 'name', descending: sort.descending }
  if (sort?.key === 'latest-change-at') return { by: 'latest-change', descending: sort.descending }
  return { by: 'created', descending: false }
}

/** True if a filter lets everything through, so that totals can be read from counters. */
export const isUnfiltered = (filter: WorkspaceFilter): boolean =>
  filter.nameContains === undefined &&
  filter.nameLike === undefined &&
  filter.projectId === undefined &&
  filter.locked === undefined &&
  filter.toolVersion === undefined &&
  filter.updatedSince === undefined &&
  filter.tags.length + filter.excludeTags.length + filter.tagged.length + filter.runStatuses.length === 0

/** True if workspaces come and go in a list without a new version of `workspaces`, so that nothing of it can be kept. */
export const changesSilently = ({ locked, updatedSince }: WorkspaceFilter): boolean =>
  locked !== undefined || updatedSince !== undefined

/** Whose workspaces are listed, and which of them the caller can see. */
export type ListScope = {
  readonly organizationId: string
  readonly visible: VisibleWorkspaces
  readonly teamIds: readonly string[]
}

/** The place of a row in an order; a page continues after the last row of the one before. */
export type RowPlace = {
  readonly name: string
  readonly latestChangeAt: number
  readonly createdAt: number
  readonly id: string
}

/** Where a page begins: at a row, after a row, or so many rows after that. */
export type PageStart = {
  readonly from?: RowPlace
  readonly after?: RowPlace
  readonly offset: number
  /**
   * True if rows may have been added or removed since the page before was sent, so that counting rows would be wrong.
   */
  readonly shifted: boolean
}
