import { renderTable, renderValue } from './formats.ts'

type Fields = Readonly<Record<string, unknown>>
type Listed = {
  readonly id: string
  readonly type?: string
  readonly attributes: Fields
  readonly relationships: Fields
}

/** What is shown of a type: attributes, and ids of related resources. */
const columnsByType: Readonly<Record<string, readonly string[]>> = {
  'authentication-tokens': ['description', 'hint', 'created-at', 'last-used-at', 'expired-at'],
  changes: ['created-at', 'actor', 'action', 'subject'],
  'effective-tag-bindings': ['key', 'value'],
  'organization-memberships': ['email', 'status', 'user', 'created-at'],
  projects: ['name', 'workspace-count', 'created-at'],
  resources: ['address', 'provider', 'module', 'updated-at'],
  'state-version-outputs': ['name', 'type', 'sensitive', 'value'],
  'tag-bindings': ['key', 'value'],
  'team-projects': ['team', 'project', 'access'],
  'team-workspaces': ['team', 'workspace', 'access'],
  teams: ['name', 'visibility', 'users-count', 'created-at'],
  'tool-versions': ['tool', 'version', 'enabled', 'beta', 'deprecated'],
  'terraform-versions': ['version', 'enabled', 'beta', 'deprecated'],
  vars: ['key', 'category', 'hcl', 'sensitive', 'value'],
}

/** What people call a resource of any other type; the first one that is there. */
const names = ['name', 'username', 'key', 'serial', 'email'] as const

/** What is shown beside: short values that many types have. */
const details = ['status', 'locked', 'resource-count', 'is-admin', 'created-at'] as const

/** The resources of a list of `/api`; undefined if the answer is something else. */
function resourcesOf(body: unknown): readonly Listed[] | undefined {
  const { data } = Object(body) as { data?: unknown }
  if (!Array.isArray(data)) return undefined
  const rows: Listed[] = data.map((each) => {
    const { id, type, attributes, relationships } = Object(each)
    return { id, type, attributes: Object(attributes ?? {}), relationships: Object(relationships ?? {}) }
  })
  return rows.every(({ id }) => typeof id === 'string') ? rows : undefined
}

/** A list of `/api` as a table with a line for each resource; undefined if the answer is something else. */
export function renderResources(body: unknown): string | undefined {
  const resources = resourcesOf(body)
  if (!resources) return undefined
  const columns = columnsFor(resources)
  return renderTable(
    ['id', ...columns],
    resources.map((resource) => [resource.id, ...columns.map((column) => renderCell(resource, column))]),
  )
}

function columnsFor(resources: readonly Listed[]): readonly string[] {
  const known = columnsByType[resources[0]?.type ?? '']
  if (known) return known
  const isThere = (column: string) => resources.some(({ attributes }) => Object.hasOwn(attributes, column))
  const name = names.find(isThere)
  return [...(name === undefined ? [] : [name]), ...details.filter(isThere)]
}

/** Longer values are cut: a line of a table stays one line. */
const widestCell = 80

function renderCell({ attributes, relationships }: Listed, column: string): string {
  const related = Object(relationships[column]).data?.id
  const text = renderValue(nameOf(Object.hasOwn(attributes, column) ? attributes[column] : related))
  const line = text.replace(/\s+/g, ' ')
  return line.length > widestCell ? `${line.slice(0, widestCell)}…` : line
}

/** What a change refers to, by its name. */
function nameOf(value: unknown): unknown {
  const { type, id, name } = Object(value)
  return typeof type === 'string' && typeof id === 'string' ? `${type} ${name ?? id}` : value
}

/** What a page of a list leaves out, and how it is read; undefined if it is the last page. */
export function nextPageHint(body: unknown): string | undefined {
  const { data, meta } = Object(body) as { data?: unknown; meta?: { pagination?: Readonly<Record<string, unknown>> } }
  const { 'next-page': next, 'total-count': total } = meta?.pagination ?? {}
  if (!Array.isArray(data) || typeof next !== 'number') return undefined
  const shown = typeof total === 'number' ? `${data.length} of ${total}` : String(data.length)
  return `${shown} are shown; 'page[number]=${next}' reads the next ones, 'page[size]=100' more at a time.`
}
