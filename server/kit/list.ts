import { createHash } from 'node:crypto'
import { type FileHandle, open as openFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Type } from 'typebox'
import { openSpool } from '../archive/spool.ts'
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
export async function listReply(call: ListCall, open: (db: Queryable) => ReadListPage): Promise<Reply> {
  return await inSnapshot(call.deps.db, async (db) => {
    const list = new GrowingList(call.deps)
    try {
      await readInto(list, call, open(db))
      return await list.reply()
    } catch (thrown) {
      await list.drop()
      throw thrown
    }
  })
}

async function readInto(list: GrowingList, { query, signal }: ListCall, read: ReadListPage): Promise<void> {
  const { after = '', limit = 0 } = query
  const wanted = limit > 0 ? limit : Number.POSITIVE_INFINITY
  for (let next: string | undefined = after; next !== undefined && list.count < wanted; ) {
    if (list.count > 0) await nextTurn(undefined, { signal })
    const page: ListPage = await read({ after: next, most: Math.min(pageSize, wanted - list.count) })
    await list.add(page)
    next = page.next
  }
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
  readonly #deps: ListCall['deps']
  #pages: ListPage[] = []
  #long: ListWriter | undefined

  constructor(deps: ListCall['deps']) {
    this.#deps = deps
  }

  async add(page: ListPage): Promise<void> {
    this.count += page.names.length
    this.#pages.push(page)
    if (this.count <= mostRecorded) return
    this.#long ??= new ListWriter(this.#deps)
    for (const each of this.#pages) await this.#long.add(each)
    this.#pages = []
  }

  async reply(): Promise<Reply> {
    if (this.#long) return { kind: 'list', list: await this.#long.end(this.count) }
    const names = this.#pages.flatMap((page) => page.names)
    const info = this.#pages.some((page) => page.info)
      ? Object.assign({}, ...this.#pages.map((page) => page.info))
      : undefined
    return keys(names, info)
  }

  async drop(): Promise<void> {
    await this.#long?.drop()
  }
}

/**
 * Writes a long list into files as it is read, and sends it from there: what is recorded of it is known before its first
 * byte is sent, and neither memory nor the moment that is read has to be kept for as long as a client takes.
 */
class ListWriter {
  readonly #digest = createHash('sha256')
  readonly #names: JsonFile
  readonly #info: JsonFile
  #hasInfo = false

  constructor(deps: ListCall['deps']) {
    this.#names = new JsonFile(deps)
    this.#info = new JsonFile(deps)
  }

  async add({ names, info }: ListPage): Promise<void> {
    if (names.length === 0) return
    this.#digest.update(`${names.join('\n')}\n`)
    await this.#names.add(names)
    if (!info) return
    this.#hasInfo = true
    await this.#info.add(info)
  }

  async end(count: number): Promise<LongList> {
    await this.#names.flush()
    await this.#info.flush()
    const data = Readable.from(this.#pieces(), { objectMode: false })
    // Also when nothing of it was read.
    data.once('close', () => void this.drop())
    return { count, digest: this.#digest.digest('hex'), hasInfo: this.#hasInfo, data }
  }

  async *#pieces(): AsyncGenerator<Buffer> {
    yield Buffer.from('{"keys":[')
    yield* this.#names.pieces()
    yield Buffer.from(this.#hasInfo ? '],"key_info":{' : ']')
    yield* this.#info.pieces()
    yield Buffer.from(this.#hasInfo ? '}}' : '}')
  }

  async drop(): Promise<void> {
    await Promise.all([this.#names.drop(), this.#info.drop()])
  }
}

/** Characters that are written in one go. */
const pieceSize = 64 * 1024

/** The elements of arrays or the members of objects as JSON, in a file without a name, which ends with its handle. */
class JsonFile {
  readonly #deps: ListCall['deps']
  #file: FileHandle | undefined
  #isEmpty = true
  #text = ''

  constructor(deps: ListCall['deps']) {
    this.#deps = deps
  }

  async add(value: object): Promise<void> {
    const text = JSON.stringify(value).slice(1, -1)
    if (text === '') return
    this.#text += this.#isEmpty ? text : `,${text}`
    this.#isEmpty = false
    if (this.#text.length >= pieceSize) await this.flush()
  }

  async flush(): Promise<void> {
    const text = this.#text
    if (text === '') return
    this.#text = ''
    this.#file ??= await openNameless(this.#deps)
    await this.#file.writeFile(text)
  }

  async *pieces(): AsyncGenerator<Buffer> {
    if (this.#file) yield* this.#file.createReadStream({ start: 0, autoClose: false, highWaterMark: pieceSize })
  }

  async drop(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.close()
  }
}

async function openNameless(deps: ListCall['deps']): Promise<FileHandle> {
  const spool = await openSpool(deps)
  try {
    return await openFile(spool.file('list'), 'wx+', 0o600)
  } finally {
    await spool.remove()
  }
}
