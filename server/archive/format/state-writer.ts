import { createHash } from 'node:crypto'
import { writeSync } from 'node:fs'
import { constants, zstdCompressSync } from 'node:zlib'
import type { BulkReader } from '../../storage/bulk/bulk.ts'
import type { TableShape } from '../../storage/bulk/table-shape.ts'
import { uninterrupted } from '../threads/uninterrupted.ts'
import type { TableSummary } from '../types.ts'
import { firstLink, frameBytes, frameHead, frameTypes, magic, nextLink, type StateHeader } from './state-format.ts'
import { TableDigest } from './table-digest.ts'

/** What was written. */
export type WrittenState = { size: number; sha256: string; rows: number; tables: Record<string, TableSummary> }

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Writes `state.bin` to an open file, frame by frame. It blocks while it compresses: use a thread of its own. */
export class StateWriter {
  readonly #file: number
  readonly #hash = createHash('sha256')
  /** One buffer for all frames: a new one for each would be a lot of garbage. */
  readonly #gathered = Buffer.allocUnsafeSlow(frameBytes)
  #gatheredBytes = 0
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
  async writeAll(reader: BulkReader): Promise<WrittenState> {
    const tables: Record<string, TableSummary> = {}
    let rows = 0
    for (const table of reader.tables) {
      const summary = await this.#writeTable(reader, table)
      tables[table.name] = summary
      rows += summary.rows
    }
    this.#json(frameTypes.trailer, { tables })
    return { size: this.#size, sha256: this.#hash.digest('hex'), rows, tables }
  }

  async #writeTable(reader: BulkReader, table: TableShape): Promise<TableSummary> {
    this.#json(frameTypes.tableBegin, { name: table.name, columns: table.columns })
    const digest = new TableDigest(table.columns.length)
    for await (const tuples of reader.tuples(table)) {
      digest.add(tuples)
      this.#rows(tuples)
    }
    this.#flush()
    const summary = digest.summary()
    this.#json(frameTypes.tableEnd, { name: table.name, ...summary })
    return summary
  }

  /** A row may be larger than a frame: frames cut the stream of rows where they are full. */
  #rows(tuples: Buffer): void {
    for (let at = 0; at < tuples.length; ) {
      const copied = tuples.copy(this.#gathered, this.#gatheredBytes, at)
      this.#gatheredBytes += copied
      at += copied
      if (this.#gatheredBytes === frameBytes) this.#flush()
    }
  }

  #flush(): void {
    if (this.#gatheredBytes > 0) this.#frame(frameTypes.rows, this.#gathered.subarray(0, this.#gatheredBytes))
    this.#gatheredBytes = 0
  }

  #json(type: number, value: object): void {
    this.#frame(type, Buffer.from(JSON.stringify(value)))
  }

  #frame(type: number, raw: Buffer): void {
    const stored = uninterrupted(() => zstdCompressSync(raw, compression))
    const head = Buffer.alloc(frameHead)
    head.writeUInt8(type, 0)
    head.writeUInt32BE(raw.length, 1)
    head.writeUInt32BE(stored.length, 5)
    this.#link = nextLink(this.#link, head, stored)
    for (const part of [head, stored, this.#link]) this.#write(part)
  }

  #write(bytes: Buffer): void {
    this.#hash.update(bytes)
    this.#size += bytes.length
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written)
  }
}
