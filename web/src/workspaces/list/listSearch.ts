/** What the list of workspaces shows: all of it stands in the address, so that a view can be copied and sent. */
export type ListSearch = {
  readonly search?: string
  readonly tags?: readonly string[]
  readonly project?: string
  readonly locked?: boolean
  readonly tool?: string
  readonly sort?: string
  readonly page?: number
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

const textsOf = (value: unknown): readonly string[] | undefined => {
  const texts = Array.isArray(value) ? value.map(String) : (textOf(value)?.split(',') ?? [])
  const kept = texts.map((text) => text.trim()).filter(Boolean)
  return kept.length > 0 ? kept : undefined
}

/** Reads the address; what it does not understand is left out. */
export function listSearch(raw: Record<string, unknown>): ListSearch {
  const page = Number(raw.page)
  const read: { -readonly [Name in keyof ListSearch]: ListSearch[Name] } = {
    search: textOf(raw.search) || undefined,
    tags: textsOf(raw.tags),
    project: textOf(raw.project),
    locked: raw.locked === undefined ? undefined : raw.locked === true || raw.locked === 'true',
    tool: textOf(raw.tool),
    sort: textOf(raw.sort),
    page: page > 1 ? Math.floor(page) : undefined,
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

/** The same as the API wants it. */
export function listQuery(search: ListSearch, pageSize: number) {
  const words = search.tags ?? []
  const pairs = words.filter((word) => word.includes('='))
  const tagged = pairs.flatMap((pair, at) => {
    const [key = '', ...value] = pair.split('=')
    return [
      [`filter[tagged][${at}][key]`, key],
      [`filter[tagged][${at}][value]`, value.join('=')],
    ]
  })
  const flat = words.filter((word) => !word.includes('='))
  return {
    'page[size]': pageSize,
    'page[number]': search.page ?? 1,
    sort: (search.sort ?? 'name') as 'name',
    ...(search.search && { 'search[name]': search.search }),
    ...(flat.length > 0 && { 'search[tags]': flat.join(',') }),
    ...(search.project && { 'filter[project][id]': search.project }),
    ...(search.locked !== undefined && { 'filter[locked]': search.locked }),
    ...(search.tool && { 'filter[tool-version]': search.tool }),
    ...Object.fromEntries(tagged),
  }
}
