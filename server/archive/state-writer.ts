import { createHash } from 'node:crypto'
import { writeSync } from 'node:fs'
import { constants, zstdCompressSync } from 'node:zlib'
import type { BulkReader } from '../storage/bulk/bulk.ts'
import type { TableShape } from '../storage/bulk/table-shape.ts'
import { firstLink, frameBytes, frameTypes, magic, nextLink, type StateHeader } from './state-format.ts'
import { TableDigest } from './table-digest.ts'
import type { Progress, TableSummary } from './types.ts'

/** What was written. */
export type WrittenState = { size: number; sha256: string; rows: number; tables: Record<string, TableSummary> }

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Writes `state.bin` to an open file, frame by frame. It blocks while it compresses: use a thread of its own. */
export class StateWriter {
  readonly #file: number
  readonly #hash = createHash('sha256')
  #link: Buffer
  #size = 0

  constructor(file: number, header: StateHeader) {
    this.#file = file
    const json = Buffer.from(JSON.stringify(header))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(json.length)
    const head = Buffer.concat([magic, length, json])
    this.#link = firstLink(head)
    this.#write(head)
    this.#write(this.#link)
  }

  /** Writes every table of a consistent read, then the trailer. */
  async writeAll(reader: BulkReader, onProgress: Progress): Promise<WrittenState> {
    const tables: Record<string, TableSummary> = {}
    let rows = 0
    for (const table of reader.tables) {
      const summary = await this.#writeTable(reader, table, (added) =>
        onProgress({ bytes: this.#size, rows: rows + added }),
      )
      tables[table.name] = summary
      rows += summary.rows
    }
    this.#json(frameTypes.trailer, { tables })
    return { size: this.#size, sha256: this.#hash.digest('hex'), rows, tables }
  }

  async #writeTable(reader: BulkReader, table: TableShape, onRows: (rows: number) => void): Promise<TableSummary> {
    this.#json(frameTypes.tableBegin, { name: table.name, columns: table.columns })
    const digest = new TableDigest(table.columns.length)
    let gathered: Buffer[] = []
    let bytes = 0
    for await (const tuples of reader.tuples(table)) {
      digest.add(tuples)
      for (const piece of pieces(tuples)) {
        if (bytes + piece.length > frameBytes) {
          this.#frame(frameTypes.rows, Buffer.concat(gathered, bytes))
          onRows(digest.rows)
          gathered = []
          bytes = 0
        }
        gathered.push(piece)
        bytes += piece.length
      }
    }
    if (bytes > 0) this.#frame(frameTypes.rows, Buffer.concat(gathered, bytes))
    const summary = digest.summary()
    this.#json(frameTypes.tableEnd, { name: table.name, ...summary })
    return summary
  }

  #json(type: number, value: object): void {
    this.#frame(type, Buffer.from(JSON.stringify(value)))
  }

  #frame(type: number, raw: Buffer): void {
    const stored = zstdCompressSync(raw, compression)
    const head = Buffer.alloc(9)
    head.writeUInt8(type, 0)
    head.writeUInt32BE(raw.length, 1)
    head.writeUInt32BE(stored.length, 5)
    this.#link = nextLink(this.#link, head, stored)
    this.#write(Buffer.concat([head, stored, this.#link]))
  }

  #write(bytes: Buffer): void {
    this.#hash.update(bytes)
    this.#size += bytes.length
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written)
  }
}

/** A row may be larger than a frame: frames cut the stream of rows where they are full. */
function* pieces(tuples: Buffer): Generator<Buffer> {
  for (let at = 0; at < tuples.length; at += frameBytes) yield tuples.subarray(at, at + frameBytes)
}
