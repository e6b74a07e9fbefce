import type { Schemas } from '../../api/client.ts'

/** A change as answers show it. */
export type Change = Schemas['Change']

const subjects: Readonly<Record<string, string>> = {
  workspaces: 'the workspace',
  'state-versions': 'state',
  vars: 'variable',
  'team-workspaces': 'access of team',
  'data-retention-policies': 'retention',
}

/** The kinds of things that a history can be narrowed to. */
export const kinds = [
  ['workspaces', 'Settings and locks'],
  ['state-versions', 'State'],
  ['vars', 'Variables'],
  ['team-workspaces', 'Access'],
] as const

const actions: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  lock: 'locked',
  unlock: 'unlocked',
  'force-unlock': 'broke the lock of',
  'expire-lock': 'ended the lock of',
  rollback: 'rolled back to',
}

/** What was done, in words: "changed variable region". */
export function wordsOf({ attributes }: Change): string {
  const { action = '', subject } = attributes
  const type = subject?.type ?? ''
  const name = type === 'workspaces' ? '' : (subject?.name ?? '')
  return [actions[action] ?? action, subjects[type] ?? type, name].filter(Boolean).join(' ')
}

/** One member before and after, as text. */
export type MemberChange = {
  readonly name: string
  readonly before: string | undefined
  readonly after: string | undefined
}

const quiet = new Set(['version-id', 'target'])

/** The members that a change tells of; what was neither before nor after is left out. */
export function membersOf({ attributes }: Change): readonly MemberChange[] {
  const [before, after] = [attributes.before ?? {}, attributes.after ?? {}]
  const text = (value: unknown): string | undefined =>
    value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value)
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !quiet.has(name))
    .map((name) => ({ name, before: text(before[name as never]), after: text(after[name as never]) }))
    .filter((member) => member.before !== undefined || member.after !== undefined)
}

/** What is recorded with settings, but is none. */
const kept = new Set(['remote-state-consumers', 'tag-bindings', 'tag-names'])

/** True for a change of settings, which can be taken back. */
export const isUndoable = ({ attributes: { action, subject, before } }: Change): boolean =>
  action === 'update' && subject?.type === 'workspaces' && Object.keys(before ?? {}).some((name) => !kept.has(name))
