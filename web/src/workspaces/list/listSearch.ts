/** What the list of workspaces shows: all of it stands in the address, so that a view can be copied and sent. */
export type ListSearch = {
  readonly search?: string
  readonly tags?: readonly string[]
  readonly without?: readonly string[]
  readonly project?: string
  readonly locked?: boolean
  readonly tool?: string
  /** A day, such as 2026-08-01: settings changed on it or later. */
  readonly since?: string
  readonly sort?: string
  /** True for those only that need attention; which ones they are is asked for. */
  readonly attention?: boolean
  /** Those with these names only. */
  readonly names?: readonly string[]
  /** True while a new workspace is being described. */
  readonly new?: boolean
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

const textsOf = (value: unknown): readonly string[] | undefined => {
  const texts = Array.isArray(value) ? value.map(String) : (textOf(value)?.split(',') ?? [])
  const kept = texts.map((text) => text.trim()).filter(Boolean)
  return kept.length > 0 ? kept : undefined
}

const flagOf = (value: unknown): true | undefined => (value === true || value === 'true' ? true : undefined)

/** Reads the address; what it does not understand is left out. */
export function listSearch(raw: Record<string, unknown>): ListSearch {
  const since = textOf(raw.since)
  const read: { -readonly [Name in keyof ListSearch]: ListSearch[Name] | undefined } = {
    search: textOf(raw.search) || undefined,
    tags: textsOf(raw.tags),
    without: textsOf(raw.without),
    project: textOf(raw.project),
    locked: raw.locked === undefined ? undefined : raw.locked === true || raw.locked === 'true',
    tool: textOf(raw.tool),
    since: since && /^\d{4}-\d{2}-\d{2}$/.test(since) ? since : undefined,
    sort: textOf(raw.sort),
    names: textsOf(raw.names),
    attention: flagOf(raw.attention),
    new: flagOf(raw.new),
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

/** Which workspaces are meant, as the API wants it: for the list, and for what is done to all of them. */
export function filterQuery(search: ListSearch) {
  const words = search.tags ?? []
  const tagged = words
    .filter((word) => word.includes('='))
    .flatMap((pair, at) => {
      const [key = '', ...value] = pair.split('=')
      return [
        [`filter[tagged][${at}][key]`, key],
        [`filter[tagged][${at}][value]`, value.join('=')],
      ]
    })
  const flat = words.filter((word) => !word.includes('='))
  return {
    ...(search.search && { [search.search.includes('*') ? 'search[wildcard-name]' : 'search[name]']: search.search }),
    ...(search.names && { 'filter[names]': search.names.join(',') }),
    ...(flat.length > 0 && { 'search[tags]': flat.join(',') }),
    ...(search.without && { 'search[exclude-tags]': search.without.join(',') }),
    ...(search.project && { 'filter[project][id]': search.project }),
    ...(search.locked !== undefined && { 'filter[locked]': search.locked }),
    ...(search.tool && { 'filter[tool-version]': search.tool }),
    ...(search.since && { 'filter[updated-since]': `${search.since}T00:00:00Z` }),
    ...Object.fromEntries(tagged),
  }
}

/** True if the address names nothing but an order: then the list shows all. */
export const isUnfiltered = ({ sort: _sort, new: _new, ...filters }: ListSearch): boolean =>
  Object.keys(filters).length === 0
