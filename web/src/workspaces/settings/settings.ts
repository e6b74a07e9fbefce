import type { Schemas } from '../../api/client.ts'

/** What the form of a workspace's settings holds. */
export type SettingsValues = {
  readonly name: string
  readonly description: string
  readonly contact: string
  readonly project: string
  /** A mode of its own, or empty to follow project and organization. */
  readonly mode: string
  readonly pool: string
  readonly toolVersion: string
  readonly folder: string
  readonly autoApply: boolean
  readonly autoApplyTriggered: boolean
  readonly allowDestroy: boolean
  readonly queueAll: boolean
  readonly speculative: boolean
  readonly fileTriggers: boolean
  readonly prefixes: readonly string[]
  readonly patterns: readonly string[]
  readonly readers: string
  /** When it is destroyed: as its project says, never, after a time without changes, or at a time. */
  readonly destroy: string
  readonly destroyAfter: string
  readonly destroyAt: string
}

type Attributes = Schemas['WorkspaceAttributes']

/** The time as the field of a browser wants it: local, to the minute. */
export function toLocal(instant: string | null | undefined): string {
  if (!instant) return ''
  const at = new Date(instant)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function destroyOf(attributes: Attributes): string {
  if (attributes['inherits-project-auto-destroy'] !== false && !attributes['auto-destroy-at']) return 'project'
  if (attributes['inherits-project-auto-destroy'] === true) return 'project'
  if (attributes['auto-destroy-activity-duration']) return 'after'
  return attributes['auto-destroy-at'] ? 'at' : 'never'
}

/** The settings of a workspace as its form begins. */
export function valuesOf(attributes: Attributes, project: string, pool: string): SettingsValues {
  const overwrites = attributes['setting-overwrites']
  const destroy = destroyOf(attributes)
  return {
    name: attributes.name ?? '',
    description: attributes.description ?? '',
    contact: attributes.contact ?? '',
    project,
    mode: overwrites?.['execution-mode'] ? (attributes['execution-mode'] ?? '') : '',
    pool: overwrites?.['agent-pool'] ? pool : '',
    toolVersion: attributes['tool-version'] ?? '',
    folder: attributes['working-directory'] ?? '',
    autoApply: attributes['auto-apply'] ?? false,
    autoApplyTriggered: attributes['auto-apply-run-trigger'] ?? false,
    allowDestroy: attributes['allow-destroy-plan'] ?? true,
    queueAll: attributes['queue-all-runs'] ?? false,
    speculative: attributes['speculative-enabled'] ?? true,
    fileTriggers: attributes['file-triggers-enabled'] ?? true,
    prefixes: attributes['trigger-prefixes'] ?? [],
    patterns: attributes['trigger-patterns'] ?? [],
    readers: attributes['global-remote-state'] ? 'all' : attributes['project-remote-state'] ? 'project' : 'chosen',
    destroy,
    destroyAfter: destroy === 'after' ? (attributes['auto-destroy-activity-duration'] ?? '') : '',
    destroyAt: destroy === 'at' ? toLocal(attributes['auto-destroy-at']) : '',
  }
}

const plain = {
  name: 'name',
  description: 'description',
  contact: 'contact',
  toolVersion: 'tool-version',
  folder: 'working-directory',
  autoApply: 'auto-apply',
  autoApplyTriggered: 'auto-apply-run-trigger',
  allowDestroy: 'allow-destroy-plan',
  queueAll: 'queue-all-runs',
  speculative: 'speculative-enabled',
  fileTriggers: 'file-triggers-enabled',
  prefixes: 'trigger-prefixes',
  patterns: 'trigger-patterns',
} as const satisfies Partial<Record<keyof SettingsValues, string>>

/** The name of a field of the form for a member of the API, so that a refusal appears at the field. */
export const fieldOf: Readonly<Record<string, keyof SettingsValues>> = {
  ...(Object.fromEntries(Object.entries(plain).map(([field, name]) => [name, field])) as Record<
    string,
    keyof SettingsValues
  >),
  'execution-mode': 'mode',
  'agent-pool-id': 'pool',
  'project-remote-state': 'readers',
  'global-remote-state': 'readers',
  'auto-destroy-at': 'destroyAt',
  'auto-destroy-activity-duration': 'destroyAfter',
}

/** What has to be sent for what was changed. */
export function changeOf(values: SettingsValues, changes: readonly (keyof SettingsValues)[]) {
  const changed = (...names: readonly (keyof SettingsValues)[]) => names.some((name) => changes.includes(name))
  const attributes: Record<string, unknown> = {}
  for (const [field, name] of Object.entries(plain) as [keyof SettingsValues, string][])
    if (changes.includes(field)) attributes[name] = values[field]
  if (changed('mode', 'pool')) Object.assign(attributes, executionOf(values))
  if (changed('readers')) {
    attributes['global-remote-state'] = values.readers === 'all'
    attributes['project-remote-state'] = values.readers === 'project'
  }
  if (changed('destroy', 'destroyAfter', 'destroyAt')) Object.assign(attributes, destructionOf(values))
  const relationships = changed('project')
    ? { project: { data: { type: 'projects' as const, id: values.project } } }
    : undefined
  return { attributes, relationships }
}

const executionOf = ({ mode, pool }: SettingsValues) =>
  mode === ''
    ? { 'setting-overwrites': { 'execution-mode': false, 'agent-pool': false } }
    : { 'execution-mode': mode, ...(mode === 'agent' && { 'agent-pool-id': pool }) }

function destructionOf({ destroy, destroyAfter, destroyAt }: SettingsValues) {
  if (destroy === 'project') return { 'inherits-project-auto-destroy': true }
  if (destroy === 'after') return { 'auto-destroy-activity-duration': destroyAfter.trim() }
  if (destroy === 'at') return { 'auto-destroy-at': destroyAt ? new Date(destroyAt).toISOString() : null }
  return { 'inherits-project-auto-destroy': false, 'auto-destroy-at': null }
}

/** What is wrong with a name, as it is typed. */
export function nameProblem(name: string): string | undefined {
  if (name === '' || /^[A-Za-z0-9_-]+$/.test(name)) return undefined
  const better = name.trim().replace(/[^A-Za-z0-9_-]+/g, '-')
  return `Only letters, digits, - and _.${/[A-Za-z0-9]/.test(better) ? ` Try ${better}.` : ''}`
}

const term = /^(?:=|!=|>|>=|<|<=|~>)?\s*\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.]+)?$/

/** What is wrong with a tool version, as it is typed. */
export function versionProblem(text: string): string | undefined {
  const rest = text.replace(/^[a-z][a-z0-9-]*:/, '').trim()
  if (rest === '' || rest === 'latest') return undefined
  const terms = rest.split(',').map((part) => part.trim())
  if (!terms.every((part) => term.test(part)))
    return 'Write a version such as 1.9.4, a constraint such as ~> 1.9, or latest.'
  return terms.some((part) => /^\d+(?:\.\d+)?$/.test(part))
    ? `Write ~> ${rest} for the newest of these, or all three numbers.`
    : undefined
}

/** What is wrong with the fields of the form, as they are typed. */
export function problemsOf(values: SettingsValues): Partial<Record<keyof SettingsValues, string>> {
  const { folder, destroy, destroyAfter, destroyAt, mode, pool } = values
  const found = {
    name: values.name === '' ? 'A workspace needs a name.' : nameProblem(values.name),
    toolVersion: versionProblem(values.toolVersion),
    folder: folder.split(/[\\/]/).includes('..') ? 'It has to be inside the repository.' : undefined,
    pool: mode === 'agent' && pool === '' ? 'Choose the pool whose agents run it.' : undefined,
    destroyAfter:
      destroy === 'after' && !/^[1-9]\d{0,3}[dh]$/.test(destroyAfter.trim()) ? 'Write 14d or 36h.' : undefined,
    destroyAt: destroy === 'at' && destroyAt === '' ? 'Choose a time.' : undefined,
  }
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined))
}
