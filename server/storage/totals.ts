/** How many rows a list has in all. A page that is not full tells, so a search that finds few looks only once. */
export async function totalOf(
  page: { readonly offset: number; readonly limit: number },
  found: number,
  count: { executeTakeFirstOrThrow(): Promise<{ readonly total: number }> },
): Promise<number> {
  const isLast = found < page.limit && (found > 0 || page.offset === 0)
  return isLast ? page.offset + found : Number((await count.executeTakeFirstOrThrow()).total)
}
