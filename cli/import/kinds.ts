import { toolNames, toolVersionAlias } from '../../server/compat/vendor-names.ts'
import { CliFailure } from '../io.ts'
import { type Resource, textOf } from './documents.ts'
import type { KindName } from './report.ts'
import { projectSettings, variableSettings, workspaceSettings } from './setting-names.ts'

/** Settings by name, as they are sent and shown. The project of a workspace counts as one. */
export type Settings = Readonly<Record<string, unknown>>

/** A kind of document that is copied. */
export type Kind = {
  readonly name: KindName
  /** Its name at the start of a sentence. */
  readonly title: string
  /** Its type in documents. */
  readonly type: string
  /** The attribute that has its name, if this is not `name`. */
  readonly named?: string
  /** Which names this server accepts. */
  readonly names?: { readonly pattern: RegExp; readonly rule: string }
  /** What is unique in a list that must be read to find a document. Others are found by their names. */
  readonly key?: (document: Resource) => string
  /** New ones are added together, in one call; `data` is what is sent. */
  readonly entry?: {
    readonly method: 'POST' | 'PATCH'
    readonly data: (source: Resource) => object
    /** If one of them is refused, each is tried alone. */
    readonly isEachTried?: true
  }
  /** Documents are addressed below their list only. */
  readonly isNested?: true
  /** What is compared with what exists, and overwritten if that was asked for. */
  readonly settings: (source: Resource) => Settings
  /** What else a new one is sent. */
  readonly first?: (source: Resource) => Settings
  /** Settings that this server does not accept are left out and reported. */
  readonly leavesOut?: true
  /** What to do about a name that is taken by what this token does not see. */
  readonly hint?: string
}

/** Organizations; their mode and their tool are what all of them have. */
export const organizations: Kind = {
  name: 'organization',
  title: 'Organization',
  type: 'organizations',
  names: { pattern: /^[\w-]{1,64}$/, rule: 'at most 64 letters, numbers, "-" and "_"' },
  settings: (source) => ({
    'default-execution-mode': copyableMode(source, 'default-execution-mode'),
    // A server that does not name a tool knows only one.
    'default-tool': source.attributes['default-tool'] ?? toolNames[1],
  }),
  first: (source) => ({ name: source.id, email: textOf(source, 'email') || 'import@example.invalid' }),
  hint: 'It exists here, and this token may not see it: use one of its members.',
}

/** Projects, which the list of an organization names. */
export const projects: Kind = {
  name: 'project',
  title: 'Project',
  type: 'projects',
  names: { pattern: /^(?! )[\w -]{3,40}(?<! )$/, rule: '3 to 40 letters, numbers, spaces, "-" and "_"' },
  key: (document) => textOf(document, 'name'),
  settings: (source) => ({ ...pick(source, projectSettings), ...modeOfProject(source) }),
}

/** Workspaces; agents and repositories belong to the server they are known to. */
export const workspaces: Kind = {
  name: 'workspace',
  title: 'Workspace',
  type: 'workspaces',
  names: { pattern: /^[\w-]{1,260}$/, rule: 'at most 260 letters, numbers, "-" and "_"' },
  settings: (source) => ({
    ...pick(source, workspaceSettings),
    [toolVersionAlias]: textOf(source, toolVersionAlias) || undefined,
    ...modeOfWorkspace(source),
    ...autoDestroyOf(source),
  }),
  // Where it comes from is told only here; to be destroyed never is not the default.
  first: (source) => ({
    ...withoutEmpty(pick(source, ['name', 'source-name', 'source-url'])),
    ...autoDestroyOf(source),
  }),
  leavesOut: true,
}

/** Variables of a workspace. */
export const variables: Kind = {
  name: 'variable',
  title: 'Variable',
  type: 'vars',
  named: 'key',
  // A key may be used once in each category.
  key: (document) => `${textOf(document, 'category')} ${textOf(document, 'key')}`,
  isNested: true,
  // A sensitive one does not show its value.
  settings: (source) => ({
    ...(source.attributes.sensitive !== true && { value: source.attributes.value ?? '' }),
    ...pick(source, variableSettings),
  }),
  first: (source) => ({ ...pick(source, ['key', 'category']), value: '' }),
}

/** Tags without values. */
export const tags: Kind = {
  name: 'tag',
  title: 'Tag',
  type: 'tags',
  // This server keeps names in lower case.
  key: (document) => textOf(document, 'name').toLowerCase(),
  settings: () => ({}),
  entry: {
    method: 'POST',
    data: (source) => ({ type: 'tags', attributes: pick(source, ['name']) }),
    isEachTried: true,
  },
}

/** Tags with values. */
export const bindings: Kind = {
  name: 'tag',
  title: 'Tag',
  type: 'tag-bindings',
  named: 'key',
  key: (document) => textOf(document, 'key'),
  settings: (source) => pick(source, ['value']),
  entry: { method: 'PATCH', data: (source) => ({ type: 'tag-bindings', attributes: pick(source, ['key', 'value']) }) },
}

/** Workspaces that may read the state of another one, with their ids at the target. */
export const consumers: Kind = {
  name: 'consumer',
  title: 'Consumer',
  type: 'workspaces',
  key: ({ id }) => id,
  settings: () => ({}),
  entry: { method: 'POST', data: ({ id }) => ({ type: 'workspaces', id }) },
}

/** Refuses a name that this server would refuse, so that a dry run says so, too, and no request contains it. */
export function requireAcceptedName({ names }: Kind, name: string): void {
  if (names && !names.pattern.test(name))
    throw new CliFailure(`Its name is not accepted here. Names have ${names.rule}.`, 2)
}

const pick = ({ attributes }: Resource, names: readonly string[]): Settings =>
  Object.fromEntries(names.map((name) => [name, attributes[name]]))

/** An execution mode that can be copied: agents belong to the server they are registered with. */
const copyableMode = ({ attributes }: Resource, name: string): string | undefined =>
  ['remote', 'local'].find((mode) => mode === attributes[name])

/** A project that follows its organization does so here, too. */
function modeOfProject(source: Resource): Settings {
  const name = 'default-execution-mode'
  const isOwn = isOverwritten(source, name)
  const mode = copyableMode(source, name)
  if (isOwn === false) return { 'setting-overwrites': { [name]: false } }
  return isOwn && mode ? { [name]: mode, 'setting-overwrites': { [name]: true } } : {}
}

/** A workspace that follows its project or organization does so here, too. */
const modeOfWorkspace = (source: Resource): Settings =>
  isOverwritten(source, 'execution-mode') === false
    ? { 'setting-overwrites': { 'execution-mode': false } }
    : { 'execution-mode': copyableMode(source, 'execution-mode') }

/** Whether something has a setting of its own instead of inheriting it; undefined if the server does not say. */
const isOverwritten = ({ attributes }: Resource, name: string): unknown =>
  Object(attributes['setting-overwrites'])[name]

/** A time that is derived from a duration, or from the project, is calculated again. */
function autoDestroyOf(source: Resource): Settings {
  if (source.attributes['inherits-project-auto-destroy'] !== false) return {}
  const duration = textOf(source, 'auto-destroy-activity-duration')
  if (duration !== '') return { 'auto-destroy-activity-duration': duration }
  const at = textOf(source, 'auto-destroy-at')
  return { 'auto-destroy-at': at === '' ? null : new Date(at) }
}

/** True for what stands for nothing. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Settings without those that are empty. */
export const withoutEmpty = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => !isEmpty(value)))
