import type { Members, RecordedChange } from '../../../../kit/change-log/change-rules.ts'

/** Settings that only make sense together: if one of them is undone, the others are sent along as they are. */
const groups: readonly (readonly string[])[] = [
  ['execution-mode', 'agent-pool-id', 'setting-overwrites'],
  ['auto-destroy-at', 'auto-destroy-activity-duration', 'inherits-project-auto-destroy'],
]

/**
 * The settings that undoing a change would reset; empty if it did not change settings. `current` has a member for each.
 */
export function undoableSettings(change: RecordedChange, current: Members): string[] {
  if (change.subject.type !== 'workspaces' || change.action !== 'update') return []
  return Object.keys(change.before ?? {}).filter((name) => name in current)
}

/** The settings of a change whose present value is no longer the one it set. */
export const touchedSince = (change: RecordedChange, current: Members): string[] =>
  undoableSettings(change, current).filter((name) => !isSame(current[name], change.after?.[name] ?? null))

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** A workspace document that resets settings to the values they had before a change. */
type UndoDocument = {
  readonly data: {
    readonly type: 'workspaces'
    readonly attributes: Members
    readonly relationships: Members
  }
}

/** The update that undoes a change. */
export function undoDocument(change: RecordedChange, current: Members): UndoDocument {
  const values = new Map<string, unknown>(
    undoableSettings(change, current).map((name) => [name, change.before?.[name] ?? null]),
  )
  for (const group of groups.filter((names) => names.some((name) => values.has(name)))) {
    for (const name of group) if (!values.has(name)) values.set(name, current[name] ?? null)
  }
  withoutLaterPool(values, change)
  withoutFollowingTime(values)
  const projectId = values.get('project-id')
  values.delete('project-id')
  const relationships = projectId === undefined ? {} : { project: { data: { type: 'projects', id: projectId } } }
  return { data: { type: 'workspaces', attributes: Object.fromEntries(values), relationships } }
}

/** Leaves out a pool that the workspace got later if the mode has no pools: that would be refused. */
function withoutLaterPool(values: Map<string, unknown>, change: RecordedChange): void {
  const isLater = !('agent-pool-id' in (change.before ?? {}))
  if (isLater && values.get('execution-mode') !== 'agent') values.delete('agent-pool-id')
}

/** Leaves out a time that is derived from a duration or from the project, if that is sent along. */
function withoutFollowingTime(values: Map<string, unknown>): void {
  if (values.get('inherits-project-auto-destroy') !== false) {
    values.delete('auto-destroy-at')
    values.delete('auto-destroy-activity-duration')
  }
  if (typeof values.get('auto-destroy-activity-duration') === 'string') values.delete('auto-destroy-at')
}
