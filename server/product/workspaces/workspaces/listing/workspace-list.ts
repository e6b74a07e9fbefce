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
  /** The names of the only ones that are meant. */
  readonly names: readonly string[] | undefined
  /** Flat tags or keys of bindings that a workspace must have, all of them. */
  readonly tags: readonly string[]
  /** Those of which it must not have any. */
  readonly excludeTags: readonly string[]
  readonly projectId: string | undefined
  readonly tagged: readonly TaggedWith[]
  /** Statuses of the current run, of which it has one. */
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
  names: undefined,
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

/** The order of a list; `created` is the default. Workspaces without runs come last, whichever way runs are sorted. */
export type ListOrder = {
  readonly by: 'created' | 'name' | 'latest-change' | 'oldest-run' | 'newest-run'
  readonly descending: boolean
}

/** Reads `*-prod`, `core*`, `*net*`. */
export function readWildcard(pattern: string): Wildcard {
  const openStart = pattern.startsWith('*')
  const openEnd = pattern.endsWith('*')
  const text = pattern.slice(openStart ? 1 : 0, openEnd ? -1 : undefined).toLowerCase()
  return { text, openStart, openEnd }
}

/** The order that was asked for. Both orders by runs ascend, so that workspaces without one are last, oldest first. */
export function listOrder(
  sort: { readonly key: (typeof sortKeys)[number]; readonly descending: boolean } | undefined,
): ListOrder {
  if (sort?.key === 'name') return { by: 'name', descending: sort.descending }
  if (sort?.key === 'latest-change-at') return { by: 'latest-change', descending: sort.descending }
  if (sort) return { by: sort.descending ? 'newest-run' : 'oldest-run', descending: false }
  return { by: 'created', descending: false }
}

/** Whose workspaces are listed, and which of them the caller can see. */
export type ListScope = {
  readonly organizationId: string
  readonly visible: VisibleWorkspaces
  readonly teamIds: readonly string[]
}

/** A scope, and a short text that differs for everything else. */
export type KeyedScope = ListScope & { readonly key: string }

/** The place of a row in an order of lists, by the columns of that. */
export type RowPlace = {
  readonly name?: string
  readonly latest_change_at?: number
  readonly current_run_newest_first?: number
  readonly current_run_at_or_last?: number
  readonly created_at?: number
  readonly id?: string
}

/** What decides how the workspaces of a page are found. */
export type ListCounts = {
  /** How many workspaces the order has. */
  readonly all: number
  /** How many of them the list shows. */
  readonly total: number
  /** How many rows of the list are wanted, with those to pass by. */
  readonly wanted: number
  /** How many each filter finds that an index can start from. */
  readonly found: readonly number[]
}

/** Two ways to a page: look at workspaces in order, or collect all that an index has for one filter and sort them. */
export type ListStart = {
  /** How many workspaces to look at in order before the other way is taken; 0 to take that at once. */
  readonly walk: number
  /** The filter to collect by; undefined if there is none. */
  readonly collect: number | undefined
}

/**
 * The cheaper way. The rows of a list may stand anywhere in the order. So a walk is tried only where it should end after
 * half of what collecting looks at, and is given up after four times what it should take, but not before a quarter of what
 * collecting would.
 */
export function listStart({ all, total, wanted, found }: ListCounts): ListStart {
  const fewest = Math.min(...found)
  if (fewest === Number.POSITIVE_INFINITY) return { walk: fewest, collect: undefined }
  const passed = total === 0 ? all : Math.min(all, (wanted * all) / total)
  const most = Math.min(fewest, Math.ceil(Math.max(4 * passed, fewest / 4)))
  return { walk: passed <= fewest / 2 ? most : 0, collect: found.indexOf(fewest) }
}
