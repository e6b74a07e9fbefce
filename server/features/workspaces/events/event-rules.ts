import type { WorkspaceRight } from '../../../access/permissions/index.ts'
import type { RecordedChange } from '../../change-log/index.ts'

/** What events are called. */
export const eventNames = ['locked', 'unlocked', 'changed', 'deleted', 'tags', 'state'] as const

/** The name of an event. */
export type EventName = (typeof eventNames)[number]

const ofWorkspaces: Readonly<Record<string, EventName>> = {
  lock: 'locked',
  unlock: 'unlocked',
  'force-unlock': 'unlocked',
  'expire-lock': 'unlocked',
  delete: 'deleted',
}

const tagMembers: ReadonlySet<string> = new Set(['tag-names', 'tag-bindings'])

/** The event a change is told as; undefined when it concerns no workspace. */
export function eventOf(
  change: Pick<RecordedChange, 'workspaceId' | 'subject' | 'action' | 'after'>,
): EventName | undefined {
  if (change.workspaceId === undefined) return undefined
  if (change.subject.type === 'state-versions') return 'state'
  if (change.subject.type !== 'workspaces') return 'changed'
  const changed = Object.keys(change.after ?? {})
  const onlyTags = change.action === 'update' && changed.length > 0 && changed.every((name) => tagMembers.has(name))
  return onlyTags ? 'tags' : (ofWorkspaces[change.action] ?? 'changed')
}

/** The right on its workspace that a caller needs to hear of a change, by what was changed. */
const neededRights: Readonly<Record<string, WorkspaceRight>> = {
  workspaces: 'can-read-run',
  'state-versions': 'can-read-state-versions',
  vars: 'can-read-variable',
}

/** The right on its workspace that a caller needs to hear of a change. */
export const rightFor = ({ subject }: Pick<RecordedChange, 'subject'>): WorkspaceRight =>
  neededRights[subject.type] ?? 'can-read-settings'

/** The kinds of resources whose changes a caller may not hear of, given what it may do. */
export const unreadableTypes = (may: (right: WorkspaceRight) => boolean): string[] =>
  Object.entries(neededRights).flatMap(([type, right]) => (may(right) ? [] : [type]))
