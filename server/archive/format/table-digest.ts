import { hash } from 'node:crypto'
import { tupleEnd } from '../../storage/bulk/tuples.ts'
import type { TableSummary } from '../types.ts'

/** True if two tables hold the same rows; a table that is missing is the same only as another missing one. */
export const isSameContent = (a: TableSummary | undefined, b: TableSummary | undefined): boolean =>
  a?.rows === b?.rows && a?.digest === b?.digest

const lanes = 8

/**
 * Counts rows and digests them: the SHA-256 of each row, added up lane by lane. Engines return rows in different orders,
 * and a sum does not depend on it. It shows whether two tables hold the same; only the archive's seal shows forgery.
 */
export class TableDigest {
  readonly #columns: number
  readonly #sum = new Uint32Array(lanes)
  #rows = 0

  constructor(columns: number) {
    this.#columns = columns
  }

  /** Takes a buffer of whole tuples. */
  add(tuples: Buffer): void {
    for (let at = 0; at < tuples.length; ) {
      const end = tupleEnd(tuples, at, this.#columns)
      if (end === -1) throw new RangeError('a row is cut off')
      this.#addRow(tuples.subarray(at, end))
      at = end
    }
  }

  #addRow(tuple: Buffer): void {
    // As a text with one character for each byte: a buffer takes twice the time to make.
    const digest = hash('sha256', tuple, 'latin1')
    for (let lane = 0; lane < lanes; lane++) this.#sum[lane] = (this.#sum[lane] ?? 0) + wordAt(digest, lane * 4)
    this.#rows += 1
  }

  summary(): TableSummary {
    const bytes = Buffer.alloc(lanes * 4)
    this.#sum.forEach((value, lane) => {
      bytes.writeUInt32BE(value, lane * 4)
    })
    return { rows: this.#rows, digest: bytes.toString('hex') }
  }
}

/** Four bytes of such a text, the highest first. */
const wordAt = (digest: string, at: number): number =>
  (digest.charCodeAt(at) << 24) |
  (digest.charCodeAt(at + 1) << 16) |
  (digest.charCodeAt(at + 2) << 8) |
  digest.charCodeAt(at + 3)
