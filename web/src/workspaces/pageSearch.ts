/** Which page of a list is shown. */
export type PageSearch = { readonly page?: number }

/** Reads the address; the first page is not named in it. */
export function pageSearch(raw: Record<string, unknown>): PageSearch {
  const page = Math.floor(Number(raw.page))
  return page > 1 ? { page } : {}
}
