import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Type } from 'typebox'
import type { Queryable } from '../storage/open.ts'
import { inSnapshot } from '../storage/transaction.ts'
import type { Call } from './endpoint.ts'
import { field } from './fields.ts'
import { keys, type LongList, type Reply } from './reply.ts'

/** What every list of `/v1` takes, as newer servers of this family do. */
export const listTerms = {
  query: Type.Object({
    after: field.text('List names after this one, which need not exist.'),
    limit: field.whole('Maximum number of names to return; 0 or less for all.'),
  }),
  fails: ['missing'],
} as const

/** Which entries of a list are wanted: those after a name, and at most so many. */
export type ListPlace = { readonly after: string; readonly most: number }

/** Entries of a list, in order. */
export type ListPage = {
  readonly names: readonly string[]
  /** Facts about entries, where the list has them. */
  readonly info?: Readonly<Record<string, unknown>>
  /** The list goes on after this; undefined at its end. */
  readonly next: string | undefined
}

/** Reads a page of a list. It may have fewer entries than wanted, so that no page takes long. */
export type ReadListPage = (place: ListPlace) => Promise<ListPage>

/** Where a list goes on after names that were read in order, as many as there are or were wanted. */
export const nextAfter = (names: readonly string[], { most }: ListPlace): string | undefined =>
  names.length < most ? undefined : names.at(-1)

/** The wanted ones of names that are in memory, in order. */
export const wantedOf = (names: readonly string[], { after, most }: ListPlace): readonly string[] =>
  names.filter((name) => name > after).slice(0, most)

/** A call of an endpoint that lists. */
export type ListCall = Pick<
  Call<unknown, { after?: string | undefined; limit?: number | undefined }>,
  'deps' | 'query' | 'signal'
>

/** Entries that are read in one go; between two pages others get a turn. */
const pageSize = 1_000

/** The answer to a list: the entries of one moment, however long it takes to read them. */
export async function listReply(
  { deps, query, signal }: ListCall,
  open: (db: Queryable) => ReadListPage,
): Promise<Reply> {
  const { after = '', limit = 0 } = query
  const wanted = limit > 0 ? limit : Number.POSITIVE_INFINITY
  return await inSnapshot(deps.db, async (db) => {
    const read = open(db)
    const list = new GrowingList()
    for (let next: string | undefined = after; next !== undefined && list.count < wanted; ) {
      if (list.count > 0) await nextTurn(undefined, { signal })
      const page: ListPage = await read({ after: next, most: Math.min(pageSize, wanted - list.count) })
      list.add(page)
      next = page.next
    }
    return list.reply()
  })
}

/** The same where a page is nothing but names: as many as there are, or were wanted. */
export const namesReply = (
  call: ListCall,
  read: (db: Queryable, place: ListPlace) => Promise<readonly string[]>,
): Promise<Reply> =>
  listReply(call, (db) => async (place) => {
    const names = await read(db, place)
    return { names, next: nextAfter(names, place) }
  })

/** A list with more names is recorded as their number and a hash, and sent in pieces. */
const mostRecorded = 10_000

/** A list that is being read. */
class GrowingList {
  count = 0
  #pages: ListPage[] = []
  #long: ListWriter | undefined

  add(page: ListPage): void {
    this.count += page.names.length
    this.#pages.push(page)
    if (this.count <= mostRecorded) return
    this.#long ??= new ListWriter()
    for (const each of this.#pages) this.#long.add(each)
    this.#pages = []
  }

  reply(): Reply {
    if (this.#long) return { kind: 'list', list: this.#long.end(this.count) }
    const names = this.#pages.flatMap((page) => page.names)
    const info = this.#pages.some((page) => page.info)
      ? Object.assign({}, ...this.#pages.map((page) => page.info))
      : undefined
    return keys(names, info)
  }
}

/** Writes a long list down as it is read. */
class ListWriter {
  readonly #digest = createHash('sha256')
  readonly #names = new JsonPieces()
  readonly #info = new JsonPieces()

  add({ names, info = {} }: ListPage): void {
    if (names.length === 0) return
    this.#digest.update(`${names.join('\n')}\n`)
    this.#names.add(names)
    this.#info.add(info)
  }

  end(count: number): LongList {
    const info = this.#info.end()
    return {
      count,
      digest: this.#digest.digest('hex'),
      names: this.#names.end(),
      info: info.length > 0 ? info : undefined,
    }
  }
}

/** Bytes that are handed to a connection in one go. */
const pieceSize = 64 * 1024

/** The elements of arrays or the members of objects, in pieces of JSON. */
class JsonPieces {
  #text = ''
  readonly #pieces: Buffer[] = []

  add(value: object): void {
    const text = JSON.stringify(value).slice(1, -1)
    if (text === '') return
    this.#text += this.#text === '' && this.#pieces.length === 0 ? text : `,${text}`
    if (this.#text.length >= pieceSize) this.#cut()
  }

  end(): readonly Buffer[] {
    if (this.#text !== '') this.#cut()
    return this.#pieces
  }

  #cut(): void {
    this.#pieces.push(Buffer.from(this.#text))
    this.#text = ''
  }
}
