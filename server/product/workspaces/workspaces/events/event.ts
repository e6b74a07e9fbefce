import type { WorkspaceRight } from '../../../../access/permissions/workspace-rights.ts'
import type { RecordedChange } from '../../../../kit/change-log/change-rules.ts'

/** The names of events. */
export const eventNames = ['locked', 'unlocked', 'changed', 'deleted', 'tags', 'state', 'run'] as const

/** The name of an event. */
export type EventName = (typeof eventNames)[number]

const workspaceEvents: Readonly<Record<string, EventName>> = {
  lock: 'locked',
  unlock: 'unlocked',
  'force-unlock': 'unlocked',
  'expire-lock': 'unlocked',
  delete: 'deleted',
}

const tagMembers: ReadonlySet<string> = new Set(['tag-names', 'tag-bindings'])

/** The event for a change; undefined when it concerns no workspace. */
export function eventOf(
  change: Pick<RecordedChange, 'workspaceId' | 'subject' | 'action' | 'after'>,
): EventName | undefined {
  if (change.workspaceId === undefined) return undefined
  if (change.subject.type === 'state-versions') return 'state'
  if (change.subject.type === 'runs') return 'run'
  if (change.subject.type !== 'workspaces') return 'changed'
  const changed = Object.keys(change.after ?? {})
  const onlyTags = change.action === 'update' && changed.length > 0 && changed.every((name) => tagMembers.has(name))
  return onlyTags ? 'tags' : (workspaceEvents[change.action] ?? 'changed')
}

/** The right on its workspace that a caller needs to see a change, by the type of resource that was changed. */
const neededRights: Readonly<Record<string, WorkspaceRight>> = {
  workspaces: 'can-read-run',
  'state-versions': 'can-read-state-versions',
  vars: 'can-read-variable',
  runs: 'can-read-run',
}

/** What somebody may read of a workspace. */
export type EventVisibility = {
  readonly may: (right: WorkspaceRight) => boolean
  /** False if there may be secret teams that they cannot see. */
  readonly seesEveryTeam: boolean
}

/** The type of resource whose changes name a team. */
const teamAccessType = 'team-workspaces'

/** True if somebody may see changes of this type of resource. */
export const isVisibleType = (type: string, { may, seesEveryTeam }: EventVisibility): boolean =>
  may(neededRights[type] ?? 'can-read-settings') && (type !== teamAccessType || seesEveryTeam)

/** The types of resources whose changes somebody may not see. */
export const hiddenTypes = (visibility: EventVisibility): string[] =>
  [...Object.keys(neededRights), teamAccessType].filter((type) => !isVisibleType(type, visibility))
