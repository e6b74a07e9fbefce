import { decimalOf } from '../der.ts'

/** Serial numbers are kept as the octets of their INTEGER, preceded by one octet with the length. */
export const longestSerial = 64

/** A slot table at most two thirds full keeps probes short. */
const slotsFor = (count: number): number => 2 ** Math.ceil(Math.log2(Math.max(16, count * 1.5)))

/**
 * A set of serial numbers in two flat buffers: a million of 16 octets take 25 MB, where strings would take 100. Looked
 * up by hash, because sorting a million when they are read would block all other requests.
 */
export class SerialSet implements Iterable<string> {
  readonly #records: Buffer
  /** Offset of a record plus one; zero is an empty slot. */
  readonly #slots: Uint32Array
  readonly #mask: number
  /** Unknown to whoever chose the serial numbers, so that they cannot be made to collide. */
  readonly #seed: number
  #used = 0
  #size = 0

  /** Room for so many serial numbers with so many octets in all. */
  constructor(count: number, octets: number, seed: number) {
    const slots = slotsFor(count)
    this.#records = Buffer.allocUnsafe(count + octets)
    this.#slots = new Uint32Array(slots)
    this.#mask = slots - 1
    this.#seed = seed
  }

  get size(): number {
    return this.#size
  }

  /** Bytes of memory held. */
  get bytes(): number {
    return this.#records.length + this.#slots.byteLength
  }

  /** Adds the serial number in `bytes` from `from` to `end`. */
  add(bytes: Buffer, from: number, end: number): void {
    const slot = this.#find(bytes, from, end)
    if (this.#slots[slot] !== 0) return
    this.#slots[slot] = this.#used + 1
    this.#records[this.#used++] = end - from
    for (let at = from; at < end; at++) this.#records[this.#used++] = bytes[at] ?? 0
    this.#size++
  }

  /** True if the serial number, given as the contents of its INTEGER, is in the set. */
  has(serial: Buffer): boolean {
    return this.#slots[this.#find(serial, 0, serial.length)] !== 0
  }

  /** The serial numbers as exact decimal text, one at a time, in the order they were added. */
  *[Symbol.iterator](): Generator<string> {
    for (let at = 0; at < this.#used; ) {
      const length = this.#records[at] ?? 0
      yield decimalOf(this.#records.subarray(at + 1, at + 1 + length))
      at += 1 + length
    }
  }

  /** The slot that holds the serial number, or the empty one where it would go. */
  #find(bytes: Buffer, from: number, end: number): number {
    let slot = this.#hash(bytes, from, end) & this.#mask
    for (let offset = this.#slots[slot] ?? 0; offset !== 0; offset = this.#slots[slot] ?? 0) {
      if (this.#isAt(offset - 1, bytes, from, end)) return slot
      slot = (slot + 1) & this.#mask
    }
    return slot
  }

  #isAt(record: number, bytes: Buffer, from: number, end: number): boolean {
    if (this.#records[record] !== end - from) return false
    for (let at = from; at < end; at++) if (this.#records[record + 1 + at - from] !== bytes[at]) return false
    return true
  }

  /** FNV-1a with a seed, its bits mixed at the end. */
  #hash(bytes: Buffer, from: number, end: number): number {
    let value = this.#seed
    for (let at = from; at < end; at++) value = Math.imul(value ^ (bytes[at] ?? 0), 0x01000193)
    value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
    value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
    return (value ^ (value >>> 16)) >>> 0
  }
}
