/** What a list of runs shows: a page, some statuses, and those that somebody looks for. */
export type RunSearch = { readonly page?: number; readonly show?: Show; readonly q?: string }

/** The views of a list of runs. */
export type Show = 'active' | 'approval' | 'failed'

const shows: readonly string[] = ['active', 'approval', 'failed'] satisfies Show[]

/** Reads the address; what it does not understand is left out. */
export function runSearch(raw: Record<string, unknown>): RunSearch {
  const page = Number(raw.page)
  const show = String(raw.show) as Show
  const q = typeof raw.q === 'string' || typeof raw.q === 'number' ? String(raw.q) : ''
  return {
    ...(Number.isInteger(page) && page > 1 && { page }),
    ...(shows.includes(show) && { show }),
    ...(q && { q }),
  }
}
