/** What the lists of an organization show; all of it stands in the address. */
export type PeopleSearch = {
  readonly q?: string
  readonly status?: string
  readonly page?: number
  /** The cell of a matrix that is explained: a team, and the id of a project or workspace. */
  readonly team?: string
  readonly on?: string
  /** The kind of thing whose changes are shown, and one of them. */
  readonly kind?: string
  readonly id?: string
  /** Where a list of changes continues. */
  readonly before?: string
}

const texts = ['q', 'status', 'team', 'on', 'kind', 'id', 'before'] as const

/** Reads the address; what it does not understand is left out. */
export function peopleSearch(raw: Record<string, unknown>): PeopleSearch {
  const read: Record<string, unknown> = {}
  for (const name of texts) {
    const value = raw[name]
    if ((typeof value === 'string' || typeof value === 'number') && value !== '') read[name] = String(value)
  }
  const page = Number(raw.page)
  if (page > 1) read.page = Math.floor(page)
  return read
}
