/** Which versions are compared, B with A before it, and which page of versions is shown. */
export type StateSearch = { readonly a?: string; readonly b?: string; readonly page?: number }

const versionIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^sv-\w+$/.test(value) ? value : undefined

/** Reads the address; what it does not understand is left out. */
export function stateSearch(raw: Record<string, unknown>): StateSearch {
  const page = Math.floor(Number(raw.page))
  const [a, b] = [versionIn(raw.a), versionIn(raw.b)]
  return { ...(a !== undefined && { a }), ...(b !== undefined && { b }), ...(page > 1 && { page }) }
}
