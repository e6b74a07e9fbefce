import { createHash } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import type { Column } from '../../storage/bulk/table-shape.ts'
import { TupleCutter } from '../../storage/bulk/tuples.ts'
import { checksumMismatch, otherFormat, unreadable } from '../refusals.ts'
import { uninterrupted } from '../threads/uninterrupted.ts'
import type { TableSummaries } from '../types.ts'
import {
  codec,
  firstLink,
  formatVersion,
  frameBytes,
  frameHead,
  frameTypes,
  hashBytes,
  headerLimit,
  magic,
  nextLink,
  type StateHeader,
  storedLimit,
  type TableBegin,
  type TableEnd,
  type Trailer,
} from './state-format.ts'
import { isSameContent, TableDigest } from './table-digest.ts'

/** Takes what is read, table by table. */
export type StateSink = {
  /** All rows of a table, as buffers of whole tuples; must be read to the end. */
  table?(table: TableBegin, tuples: AsyncIterable<Buffer>): Promise<void>
  /** False for a table to be passed over: it is only made sure that nobody has changed its bytes. */
  wants?(name: string): boolean
  /** True for those who load the rows, read them back and compare them then. */
  readonly comparesLater?: boolean
}

/** What was read. */
export type ReadState = { header: StateHeader; size: number; sha256: string; rows: number; tables: TableSummaries }

/**
 * Reads `state.bin` to its end, believing nothing: lengths are capped before anything is allocated, the chain of hashes
 * is followed, rows are counted and digested, and the trailer must say the same.
 */
export async function readState(source: AsyncIterable<Buffer>, sink: StateSink = {}): Promise<ReadState> {
  const frames = new FrameReader(source)
  const header = await frames.header()
  const tables = new Map<string, TableEnd>()
  let rows = 0
  for (;;) {
    const { type, content } = await frames.next()
    if (type === frameTypes.trailer) {
      compareTrailer(json<Trailer>(content()), tables)
      const { size, sha256 } = await frames.end()
      return { header, size, sha256, rows, tables: summariesOf(tables) }
    }
    if (type !== frameTypes.tableBegin) throw unreadable('a frame is where a table should begin')
    const begin = tableBegin(content())
    if (tables.has(begin.name)) throw unreadable(`the table '${begin.name}' is in it twice`)
    const table = new TableReader(frames, begin)
    await readTable(table, begin, sink)
    const end = table.end()
    tables.set(begin.name, end)
    rows += end.rows
  }
}

async function readTable(table: TableReader, begin: TableBegin, sink: StateSink): Promise<void> {
  if (sink.wants?.(begin.name) === false) return await table.skip()
  const tuples = table.tuples(sink.comparesLater ?? false)
  if (sink.table) return await sink.table(begin, tuples)
  for await (const _rows of tuples);
}

const summariesOf = (tables: ReadonlyMap<string, TableEnd>): TableSummaries =>
  Object.fromEntries([...tables].map(([name, { rows, digest }]) => [name, { rows, digest }]))

function compareTrailer(trailer: Trailer, found: ReadonlyMap<string, TableEnd>): void {
  const written = new Map(Object.entries(trailer.tables ?? {}))
  for (const name of new Set([...written.keys(), ...found.keys()])) {
    if (!isSameContent(written.get(name), found.get(name))) {
      throw unreadable(`the trailer does not fit the table '${name}'`)
    }
  }
}

/** Reads the frames of one table. */
class TableReader {
  readonly #frames: FrameReader
  readonly #begin: TableBegin
  #end: TableEnd | undefined

  constructor(frames: FrameReader, begin: TableBegin) {
    this.#frames = frames
    this.#begin = begin
  }

  end(): TableEnd {
    if (!this.#end) throw new Error(`The table '${this.#begin.name}' was not read to its end.`)
    return this.#end
  }

  async *tuples(comparesLater: boolean): AsyncGenerator<Buffer> {
    const { name, columns } = this.#begin
    const cutter = new TupleCutter(columns.length)
    const digest = comparesLater ? undefined : new TableDigest(columns.length)
    for (;;) {
      const content = await this.#next()
      const whole = decodeOrRefuse(() => (content ? cutter.add(content()) : cutter.finish()))
      if (whole) {
        decodeOrRefuse(() => digest?.add(whole))
        yield whole
      }
      if (content) continue
      if (!digest || isSameContent(this.end(), digest.summary())) return
      throw unreadable(`the rows of '${name}' differ from those that were written`)
    }
  }

  async skip(): Promise<void> {
    while (await this.#next());
  }

  /** The next frame of rows; undefined at the end of the table. */
  async #next(): Promise<Frame['content'] | undefined> {
    const { name } = this.#begin
    const { type, content } = await this.#frames.next()
    if (type === frameTypes.rows) return content
    if (type !== frameTypes.tableEnd) throw unreadable(`a frame of '${name}' is out of place`)
    this.#end = json<TableEnd>(content())
    if (this.#end.name === name && Number.isSafeInteger(this.#end.rows)) return undefined
    throw unreadable(`the end of '${name}' is not what it should be`)
  }
}

/** Rows whose layout cannot be read are a fault of the archive. */
export function decodeOrRefuse<T>(read: () => T): T {
  try {
    return read()
  } catch (thrown) {
    if (thrown instanceof RangeError) throw unreadable(thrown.message, thrown)
    throw thrown
  }
}

/** A frame whose hash is right, and what it holds once it is decompressed. */
type Frame = { readonly type: number; readonly content: () => Buffer }

/** Takes bytes of exact lengths from a stream, and follows the chain of hashes. */
class FrameReader {
  readonly #source: AsyncIterator<Buffer>
  readonly #hash = createHash('sha256')
  #waiting: Buffer = Buffer.alloc(0)
  #link: Buffer = Buffer.alloc(0)
  #size = 0

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async header(): Promise<StateHeader> {
    const start = await this.#take(magic.length + 4)
    if (!start.subarray(0, magic.length).equals(magic)) throw unreadable('state.bin does not begin as it should')
    const length = start.readUInt32BE(magic.length)
    if (length > headerLimit) throw unreadable(`the header claims ${length} bytes`)
    const body = await this.#take(length)
    this.#link = firstLink(Buffer.concat([start, body]))
    await this.#compareLink()
    const header = json<StateHeader>(body)
    if (header.format !== formatVersion) throw otherFormat(header.format, formatVersion)
    if (header.codec !== codec) throw unreadable(`there is no codec '${String(header.codec)}'`)
    if (!Array.isArray(header.migrations)) throw unreadable('the header does not name any migrations')
    if (!Number.isSafeInteger(header.created)) throw unreadable('the header has no time')
    return header
  }

  async next(): Promise<Frame> {
    const head = await this.#take(frameHead)
    const [type, raw, stored] = [head.readUInt8(0), head.readUInt32BE(1), head.readUInt32BE(5)]
    // Nobody writes such a frame: the bytes of its lengths were changed.
    if (raw > frameBytes || stored > storedLimit) throw checksumMismatch('state.bin')
    const bytes = await this.#take(stored)
    this.#link = nextLink(this.#link, head, bytes)
    await this.#compareLink()
    return { type, content: () => decompress(bytes, raw) }
  }

  async end(): Promise<{ size: number; sha256: string }> {
    if (this.#waiting.length > 0 || !(await this.#source.next()).done) throw unreadable('bytes follow the trailer')
    return { size: this.#size, sha256: this.#hash.digest('hex') }
  }

  async #compareLink(): Promise<void> {
    if (!(await this.#take(hashBytes)).equals(this.#link)) throw checksumMismatch('state.bin')
  }

  async #take(length: number): Promise<Buffer> {
    const parts = [this.#waiting]
    let have = this.#waiting.length
    while (have < length) {
      const { done, value } = await this.#source.next()
      // The file has the length that the archive names, so lengths within it were changed, or something was cut out.
      if (done) throw checksumMismatch('state.bin')
      parts.push(value)
      have += value.length
    }
    const all = parts.length === 1 ? this.#waiting : Buffer.concat(parts, have)
    this.#waiting = all.subarray(length)
    const taken = all.subarray(0, length)
    this.#hash.update(taken)
    this.#size += length
    return taken
  }
}

function decompress(stored: Buffer, raw: number): Buffer {
  try {
    const content = uninterrupted(() => zstdDecompressSync(stored, { maxOutputLength: Math.max(1, raw) }))
    if (content.length === raw) return content
  } catch (thrown) {
    throw unreadable('a frame cannot be decompressed', thrown)
  }
  throw unreadable('a frame does not have the length it claims')
}

function json<T>(bytes: Buffer): T {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof value === 'object' && value !== null) return value as T
  } catch (thrown) {
    throw unreadable('a part that should be JSON is not', thrown)
  }
  throw unreadable('a part that should be an object is not')
}

const columnTypes = new Set(['text', 'integer', 'bytes', 'real'])

function tableBegin(content: Buffer): TableBegin {
  const begin = json<TableBegin>(content)
  const isColumn = (column: Column) => typeof column?.name === 'string' && columnTypes.has(column.type)
  const isFit = typeof begin.name === 'string' && Array.isArray(begin.columns) && begin.columns.length > 0
  if (isFit && begin.columns.every(isColumn)) return begin
  throw unreadable('a table is announced without a name or columns')
}
