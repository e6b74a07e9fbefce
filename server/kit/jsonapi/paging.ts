import { lastValue, type SentParameters, undecodable } from './parameters.ts'

/** The part of a list that is asked for. */
export type PageRequest = { readonly number: number; readonly size: number }

/** The size of a page when none is asked for, and the largest there is. */
export const pageSizes = { standard: 20, largest: 100 } as const

/** Reads `page[number]` and `page[size]`: what is not positive counts as not given; large sizes are cut. */
export function readPage(sent: SentParameters): PageRequest {
  const number = positive(sent, 'page[number]') ?? 1
  const size = positive(sent, 'page[size]') ?? pageSizes.standard
  return { number, size: Math.min(size, pageSizes.largest) }
}

function positive(sent: SentParameters, name: string): number | undefined {
  const text = lastValue(sent, name)
  if (text === undefined) return undefined
  if (!/^[+-]?\d+$/.test(text)) throw undecodable(`Parameter ${name} must be a whole number, such as 1.`, name)
  const value = Math.min(Number(text), Number.MAX_SAFE_INTEGER)
  return value >= 1 ? value : undefined
}

/** Which rows of a list are asked for. */
type RowRange = { readonly offset: number; readonly limit: number }

/** The rows on a page; never beyond what both databases take as an offset. */
export const rangeOf = ({ number, size }: PageRequest): RowRange => ({
  offset: Math.min((number - 1) * size, Number.MAX_SAFE_INTEGER),
  limit: size,
})

/** The entries on a page of a list that is all at hand. */
export function entriesOn<T>(page: PageRequest, all: readonly T[]): readonly T[] {
  const { offset, limit } = rangeOf(page)
  return all.slice(offset, offset + limit)
}

/** `meta.pagination` of a list. */
export type Pagination = {
  readonly 'current-page': number
  readonly 'page-size': number
  readonly 'prev-page': number | null
  readonly 'next-page': number | null
  readonly 'total-pages': number
  readonly 'total-count': number
}

/** The numbers of a page. Beyond the end both neighbours are null, so that clients stop. */
export function paginationOf({ number, size }: PageRequest, totalCount: number, atLeast = 1): Pagination {
  const totalPages = Math.max(atLeast, Math.ceil(totalCount / size))
  const inside = number <= totalPages
  return {
    'current-page': number,
    'page-size': size,
    'prev-page': inside && number > 1 ? number - 1 : null,
    'next-page': inside && number < totalPages ? number + 1 : null,
    'total-pages': totalPages,
    'total-count': totalCount,
  }
}

/** Absolute links to the neighbours of a page. */
type PageLinks = {
  readonly self: string
  readonly first: string
  readonly prev: string | null
  readonly next: string | null
  readonly last: string
}

/** Links that repeat every other parameter of the request, sorted by name. */
export function pageLinks(address: string, query: URLSearchParams, pagination: Pagination): PageLinks {
  const others = [...query].filter(([key]) => key !== 'page[number]' && key !== 'page[size]')
  const at = (number: number): string => {
    const parameters = new URLSearchParams(others)
    parameters.set('page[number]', String(number))
    parameters.set('page[size]', String(pagination['page-size']))
    parameters.sort()
    return `${address}?${parameters.toString().replaceAll('+', '%20')}`
  }
  const maybe = (number: number | null) => (number === null ? null : at(number))
  return {
    self: at(pagination['current-page']),
    first: at(1),
    prev: maybe(pagination['prev-page']),
    next: maybe(pagination['next-page']),
    last: at(pagination['total-pages']),
  }
}

/** The address of a request with another value of one parameter, under which it goes on where its answer ended. */
export function continuedAt(
  request: { readonly origin: string; readonly path: string; readonly query: URLSearchParams },
  parameter: string,
  value: string,
): string {
  const query = new URLSearchParams(request.query)
  query.set(parameter, value)
  return `${request.origin}/api/v2/${request.path}?${query}`
}
