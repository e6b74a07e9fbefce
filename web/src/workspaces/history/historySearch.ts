/** What the history shows: one kind of things, from a position on. */
export type HistorySearch = { readonly kind?: string; readonly before?: string }

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/** Reads the address; what it does not understand is left out. */
export function historySearch(raw: Record<string, unknown>): HistorySearch {
  const [kind, before] = [textIn(raw.kind), textIn(raw.before)]
  return { ...(kind && { kind }), ...(before && { before }) }
}
