/** What a list of runs shows: a page, some statuses, and those that somebody looks for. */
export type RunSearch = { readonly page?: number; readonly show?: Show; readonly q?: string }

/** The views of a list of runs. */
export type Show = 'active' | 'approval' | 'failed'

/** The statuses of each view. */
export const viewStatuses: Readonly<Record<Show, string>> = {
  active: 'pending,plan_queued,planning,confirmed,apply_queued,applying',
  approval: 'planned,planned_and_saved',
  failed: 'errored',
}

/** Reads the address; what it does not understand is left out. */
export function runSearch(raw: Record<string, unknown>): RunSearch {
  const page = Number(raw.page)
  const show = String(raw.show) as Show
  const q = typeof raw.q === 'string' || typeof raw.q === 'number' ? String(raw.q) : ''
  return {
    ...(Number.isInteger(page) && page > 1 && { page }),
    ...(Object.hasOwn(viewStatuses, show) && { show }),
    ...(q && { q }),
  }
}
