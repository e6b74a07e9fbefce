import { type Instant, instant, later } from '../../../kernel/clock.ts'
import { finalStatuses, type RunStatus, runStatuses } from './run-words.ts'

/** What a run is meant to do, as lists are filtered by it. */
export const operations = [
  'plan_and_apply',
  'plan_only',
  'refresh_only',
  'destroy',
  'empty_apply',
  'save_plan',
  'action_only',
] as const

/** What a run is meant to do. */
export type Operation = (typeof operations)[number]

/** Groups of statuses by which lists are filtered. */
export const statusGroups: Readonly<Record<string, readonly RunStatus[]>> = {
  final: finalStatuses,
  non_final: runStatuses.filter((status) => !(finalStatuses as readonly RunStatus[]).includes(status)),
  discardable: ['planned', 'planned_and_saved'],
}

/** Which runs a list shows. All conditions must be met. */
export type RunFilter = {
  readonly statuses: readonly string[] | undefined
  readonly sources: readonly string[] | undefined
  readonly operation: readonly Operation[] | undefined
  readonly since: Instant | undefined
  readonly until: Instant | undefined
  readonly user: string | undefined
  readonly commit: string | undefined
  readonly basic: string | undefined
  readonly poolNames: readonly string[] | undefined
  readonly workspaceNames: readonly string[] | undefined
  readonly hidesPlanOnly?: boolean
}

/** The filters and searches of a request. */
export type SentFilter = {
  readonly status: readonly string[] | undefined
  readonly statusGroup: string | undefined
  readonly source: readonly string[] | undefined
  readonly operation: readonly string[] | undefined
  readonly timeframe: string | undefined
  readonly user: string | undefined
  readonly commit: string | undefined
  readonly basic: string | undefined
  readonly poolNames?: readonly string[] | undefined
  readonly workspaceNames?: readonly string[] | undefined
}

const year = 365 * 86_400_000

/** The times between which runs of a timeframe were created: a year, or the last twelve months. */
export function timeframe(
  text: string | undefined,
  now: Instant,
): { readonly since?: Instant; readonly until?: Instant } {
  if (text === 'year') return { since: later(now, -year) }
  if (text === undefined) return {}
  return { since: instant(Date.UTC(Number(text), 0)), until: instant(Date.UTC(Number(text) + 1, 0)) }
}

/** What is wrong with a timeframe. */
export const timeframeProblem = (text: string): string | undefined =>
  text === 'year' || /^\d{4}$/.test(text)
    ? undefined
    : 'must be a year such as 2026, or year for the last twelve months'

/** What is wrong with a group of statuses. */
export const groupProblem = (text: string): string | undefined =>
  text in statusGroups ? undefined : `must be one of ${Object.keys(statusGroups).join(', ')}`

/** The filter of a list; a search over several members counts only if no member is searched for itself. */
export function toRunFilter(sent: SentFilter, now: Instant): RunFilter {
  const group = sent.statusGroup === undefined ? undefined : statusGroups[sent.statusGroup]
  const { status } = sent
  const statuses =
    group && status ? status.filter((each) => (group as readonly string[]).includes(each)) : (status ?? group)
  const { since, until } = timeframe(sent.timeframe, now)
  const isSearched = sent.user !== undefined || sent.commit !== undefined
  return {
    statuses,
    sources: sent.source,
    operation: sent.operation && operations.filter((name) => sent.operation?.includes(name)),
    since,
    until,
    user: sent.user,
    commit: sent.commit,
    basic: isSearched ? undefined : sent.basic,
    poolNames: sent.poolNames,
    workspaceNames: sent.workspaceNames,
  }
}

/** Plan-only runs are many and short: a workspace lists them only if an operation or a status is asked for. */
export const withoutPlanOnly = (filter: RunFilter): RunFilter => ({
  ...filter,
  hidesPlanOnly: !filter.operation && !filter.statuses,
})
