import { renderTable, renderValue } from './output.ts'

type Listed = { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }

/** What people call a resource, whatever its type says; the first one that is there. */
const names = ['name', 'username', 'key', 'serial', 'email', 'action'] as const

/** What is shown beside: short values that many types have. */
const details = ['status', 'locked', 'resource-count', 'category', 'access', 'is-admin', 'created-at'] as const

/** The resources of a list of `/api`; undefined if the answer is something else. */
function resourcesOf(body: unknown): readonly Listed[] | undefined {
  const { data } = Object(body) as { data?: unknown }
  if (!Array.isArray(data)) return undefined
  const rows = data.map((each) => Object(each) as { id?: unknown; attributes?: unknown })
  return rows.every(({ id }) => typeof id === 'string')
    ? rows.map(({ id, attributes }) => ({ id: String(id), attributes: Object(attributes ?? {}) }))
    : undefined
}

/** A list of `/api` as a table with a line for each resource; undefined if the answer is something else. */
export function renderResources(body: unknown): string | undefined {
  const resources = resourcesOf(body)
  if (!resources) return undefined
  const isThere = (column: string) => resources.some(({ attributes }) => Object.hasOwn(attributes, column))
  const name = names.find(isThere)
  const columns = [...(name === undefined ? [] : [name]), ...details.filter(isThere)]
  return renderTable(
    ['id', ...columns],
    resources.map(({ id, attributes }) => [id, ...columns.map((column) => renderValue(attributes[column]))]),
  )
}

/** What a page of a list leaves out, and how it is read; undefined if it is the last page. */
export function nextPageHint(body: unknown): string | undefined {
  const { data, meta } = Object(body) as { data?: unknown; meta?: { pagination?: Readonly<Record<string, unknown>> } }
  const { 'next-page': next, 'total-count': total } = meta?.pagination ?? {}
  if (!Array.isArray(data) || typeof next !== 'number') return undefined
  const shown = typeof total === 'number' ? `${data.length} of ${total}` : String(data.length)
  return `${shown} are shown; 'page[number]=${next}' reads the next ones, 'page[size]=100' more at a time.`
}
