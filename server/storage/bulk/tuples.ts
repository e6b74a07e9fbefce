import type { Column } from './table-shape.ts'

/**
 * Rows as bytes, in the layout PostgreSQL uses for binary COPY: the number of fields in 16 bits, then for each its
 * length in 32 bits (-1 for null) and its bytes. Whole numbers have 64 bits, real ones are IEEE 754 doubles, text is
 * UTF-8; all big-endian.
 */

/** A value of one of the four column types, or null. */
export type Value = string | number | bigint | Uint8Array | null

/** No row may be larger: it is in memory as a whole. */
const largestRow = 512 * 1024 * 1024

const targetBytes = 256 * 1024
const twoTo32 = 2 ** 32

/** Puts rows into bytes, many to a buffer. The buffer is used again: what it holds is good until the next row is added. */
export class TupleEncoder {
  readonly #columns: readonly Column[]
  #buffer: Buffer = Buffer.allocUnsafeSlow(2 * targetBytes)
  #at = 0

  constructor(columns: readonly Column[]) {
    this.#columns = columns
  }

  /** Adds a row; returns the buffer when it is full enough to be passed on. */
  add(row: readonly unknown[]): Buffer | undefined {
    this.#room(2)
    this.#at = this.#buffer.writeInt16BE(this.#columns.length, this.#at)
    for (let index = 0; index < this.#columns.length; index++) this.#value(row[index] as Value, index)
    return this.#at >= targetBytes ? this.take() : undefined
  }

  /** What was gathered so far; undefined when it is nothing. */
  take(): Buffer | undefined {
    if (this.#at === 0) return undefined
    const full = this.#buffer.subarray(0, this.#at)
    this.#at = 0
    return full
  }

  #value(value: Value, index: number): void {
    if (value === null) {
      this.#room(4)
      this.#at = this.#buffer.writeInt32BE(-1, this.#at)
    } else if (typeof value === 'string') this.#text(value)
    else if (typeof value === 'object') this.#bytes(value)
    else this.#number(value, index)
  }

  #text(value: string): void {
    // A UTF-16 unit becomes at most three bytes.
    this.#room(4 + value.length * 3)
    const length = this.#buffer.write(value, this.#at + 4, 'utf8')
    this.#buffer.writeInt32BE(length, this.#at)
    this.#at += 4 + length
  }

  #bytes(value: Uint8Array): void {
    this.#room(4 + value.length)
    this.#at = this.#buffer.writeInt32BE(value.length, this.#at)
    this.#buffer.set(value, this.#at)
    this.#at += value.length
  }

  #number(value: number | bigint, index: number): void {
    this.#room(12)
    this.#at = this.#buffer.writeInt32BE(8, this.#at)
    if (this.#columns[index]?.type === 'real') this.#at = this.#buffer.writeDoubleBE(Number(value), this.#at)
    else if (typeof value === 'bigint') this.#at = this.#buffer.writeBigInt64BE(value, this.#at)
    else {
      this.#at = this.#buffer.writeInt32BE(Math.floor(value / twoTo32), this.#at)
      this.#at = this.#buffer.writeUInt32BE(value >>> 0, this.#at)
    }
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#at + bytes, this.#buffer.length * 2))
    this.#buffer.copy(grown, 0, 0, this.#at)
    this.#buffer = grown
  }
}

/** Where the tuple that begins here ends; -1 when the buffer ends before it. */
export function tupleEnd(buffer: Buffer, begin: number, columns: number): number {
  if (begin + 2 > buffer.length) return -1
  if (buffer.readInt16BE(begin) !== columns) throw new RangeError('a row has the wrong number of columns')
  let at = begin + 2
  for (let index = 0; index < columns; index++) {
    if (at + 4 > buffer.length) return -1
    const length = buffer.readInt32BE(at)
    if (length < -1) throw new RangeError(`a value claims a length of ${length}`)
    at += 4 + Math.max(0, length)
    if (at - begin > largestRow) throw new RangeError(`a row claims ${at - begin} bytes`)
  }
  return at <= buffer.length ? at : -1
}

/** Where a whole number is in the tuple that begins here. */
export function numberAt(buffer: Buffer, begin: number, column: number): number {
  let at = begin + 2
  for (let passed = 0; passed < column; passed++) at += 4 + Math.max(0, buffer.readInt32BE(at))
  if (buffer.readInt32BE(at) !== 8) throw new RangeError(`the field ${column + 1} of a row is not a whole number`)
  return at + 4
}

/** The values of the tuple that begins here. */
export function decodeTuple(buffer: Buffer, begin: number, columns: readonly Column[]): Value[] {
  let at = begin + 2
  return columns.map((column) => {
    const length = buffer.readInt32BE(at)
    const from = at + 4
    at = from + Math.max(0, length)
    return length === -1 ? null : decodeValue(buffer, from, length, column)
  })
}

function decodeValue(buffer: Buffer, from: number, length: number, column: Column): Value {
  if (column.type === 'text') return buffer.toString('utf8', from, from + length)
  if (column.type === 'bytes') return buffer.subarray(from, from + length)
  if (length !== 8) throw new RangeError(`the column ${column.name} holds a number of ${length} bytes`)
  if (column.type === 'real') return buffer.readDoubleBE(from)
  const value = buffer.readInt32BE(from) * twoTo32 + buffer.readUInt32BE(from + 4)
  return Number.isSafeInteger(value) ? value : buffer.readBigInt64BE(from)
}

/** Where no more rows follow, there is -1 instead of a number of fields, and nothing after it. */
const isEndMark = (buffer: Buffer, at: number): boolean => at + 2 === buffer.length && buffer.readInt16BE(at) === -1

/**
 * Cuts a stream of bytes into pieces that hold whole tuples; the last bytes of a piece are kept for the next. What it
 * returns is good until more is added.
 */
export class TupleCutter {
  readonly #columns: number
  #waiting: Buffer[] = []
  #bytes = 0
  #needed = 0

  constructor(columns: number) {
    this.#columns = columns
  }

  /** Takes bytes in; returns the whole tuples there are now. */
  add(piece: Buffer): Buffer | undefined {
    const bytes = this.#bytes + piece.length
    if (bytes < this.#needed) {
      this.#waiting.push(Buffer.from(piece))
      this.#bytes = bytes
      return undefined
    }
    const all = this.#waiting.length === 0 ? piece : Buffer.concat([...this.#waiting, piece], bytes)
    const end = this.#lastEnd(all)
    // Copied, since the caller may use the memory of the piece again.
    this.#waiting = end < all.length ? [Buffer.from(all.subarray(end))] : []
    this.#bytes = all.length - end
    // A tuple that does not fit is gathered until it has doubled, so that long ones are not copied again and again.
    this.#needed = end === 0 ? this.#bytes * 2 : 0
    return end === 0 ? undefined : all.subarray(0, end)
  }

  /** Ends the stream: whole tuples and what is to follow the last of them must be all that is left. */
  finish(trailer: Buffer = Buffer.alloc(0)): Buffer | undefined {
    const all = Buffer.concat(this.#waiting, this.#bytes)
    const end = this.#lastEnd(all)
    if (!all.subarray(end).equals(trailer)) throw new RangeError('the last row is cut off')
    return end === 0 ? undefined : all.subarray(0, end)
  }

  #lastEnd(all: Buffer): number {
    let end = 0
    while (!isEndMark(all, end)) {
      const next = tupleEnd(all, end, this.#columns)
      if (next === -1) break
      end = next
    }
    return end
  }
}
