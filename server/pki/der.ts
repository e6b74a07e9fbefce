import { type Failure, failure } from '../kernel/failure.ts'
import { tag } from './der-writer.ts'

/** One DER value inside a buffer; nothing is copied. */
export type Element = {
  readonly bytes: Buffer
  readonly tag: number
  /** Where the header begins. */
  readonly start: number
  /** Where the contents begin. */
  readonly from: number
  /** Just behind the contents. */
  readonly end: number
  readonly depth: number
}

/** Nothing in X.509, CRL or OCSP nests deeper than about a dozen levels. */
const deepest = 32

/** The only failure that readers of this engine throw. */
export const unreadable = (code: string, text: string): Failure => failure('malformed', `x509.${code}`, text)

/** Reads the value that starts at `at`, which must end by `limit` (X.690 §10.1: definite, shortest lengths only). */
export function readElement(bytes: Buffer, at: number, limit: number, depth = 0): Element {
  if (depth > deepest) throw unreadable('too-deep', 'The structure is nested too deeply.')
  if (at + 2 > limit) throw unreadable('truncated', 'A value is cut off.')
  const tagByte = bytes[at] ?? 0
  // No structure read here uses tag numbers above 30; 0 would be the end marker of indefinite lengths.
  if ((tagByte & 0x1f) === 0x1f || tagByte === 0) throw unreadable('tag', 'A value has a tag that cannot occur here.')
  let length = bytes[at + 1] ?? 0
  let from = at + 2
  if (length >= 0x80) {
    const count = length & 0x7f
    if (count === 0 || count > 4) throw unreadable('length', 'A length is indefinite or far too large.')
    if (from + count > limit) throw unreadable('truncated', 'A value is cut off.')
    length = bytes.readUIntBE(from, count)
    if (length < 0x80 || length < 2 ** (8 * (count - 1)))
      throw unreadable('length', 'A length is not in its shortest form.')
    from += count
  }
  const end = from + length
  if (end > limit) throw unreadable('truncated', 'A value is longer than its container.')
  return { bytes, tag: tagByte, start: at, from, end, depth }
}

/** Reads bytes that are one value and nothing else. */
export function readWhole(bytes: Buffer, expected: number, what: string): Element {
  const element = readElement(bytes, 0, bytes.length)
  if (element.tag !== expected) throw unreadable('type', `${what} is not of the expected type.`)
  if (element.end !== bytes.length) throw unreadable('trailing-bytes', `${what} is followed by further bytes.`)
  return element
}

/** The contents of a value, without its header. */
export const contents = (element: Element): Buffer => element.bytes.subarray(element.from, element.end)

/** The whole value, with its header. */
export const encoded = (element: Element): Buffer => element.bytes.subarray(element.start, element.end)

/** True if the value holds nothing. */
const isEmpty = (element: Element): boolean => element.from === element.end

/** Walks the values inside a constructed one, in order. */
export class Cursor {
  readonly #parent: Element
  readonly #what: string
  #at: number

  constructor(parent: Element, what: string) {
    if ((parent.tag & 0x20) === 0) throw unreadable('type', `${what} is not a constructed value.`)
    this.#parent = parent
    this.#what = what
    this.#at = parent.from
  }

  get done(): boolean {
    return this.#at >= this.#parent.end
  }

  /** The tag of the next value, or -1 at the end. */
  get tag(): number {
    return this.done ? -1 : (this.#parent.bytes[this.#at] ?? -1)
  }

  /** The next value, whatever it is. */
  takeAny(): Element {
    if (this.done) throw unreadable('missing', `${this.#what} ends too early.`)
    const element = readElement(this.#parent.bytes, this.#at, this.#parent.end, this.#parent.depth + 1)
    this.#at = element.end
    return element
  }

  /** The next value, which must have this tag. */
  take(expected: number): Element {
    if (this.tag !== expected) throw unreadable('type', `${this.#what} holds a value of the wrong type.`)
    return this.takeAny()
  }

  /** The next value if it has this tag. */
  takeIf(expected: number): Element | undefined {
    return this.tag === expected ? this.takeAny() : undefined
  }

  /** The value inside `[n] EXPLICIT`, if that comes next. */
  takeExplicit(number: number, expected: number): Element | undefined {
    const wrapper = this.takeIf(0xa0 | number)
    if (wrapper === undefined) return undefined
    const inner = new Cursor(wrapper, this.#what)
    const element = inner.take(expected)
    inner.finish()
    return element
  }

  /** Refuses anything that is left. */
  finish(): void {
    if (!this.done) throw unreadable('trailing-values', `${this.#what} holds more than it may.`)
  }
}

/** The values inside a constructed value; `what` names it in errors. */
export const open = (element: Element, what: string): Cursor => new Cursor(element, what)

/** The values inside a SEQUENCE. */
export function openSequence(element: Element, what: string): Cursor {
  if (element.tag !== tag.sequence) throw unreadable('type', `${what} is not a sequence.`)
  return new Cursor(element, what)
}

/** All values inside a SEQUENCE OF or SET OF. */
export function openAll(element: Element, what: string): Element[] {
  const cursor = new Cursor(element, what)
  const all: Element[] = []
  while (!cursor.done) all.push(cursor.takeAny())
  return all
}

/** BOOLEAN: DER knows 00 and FF only (X.690 §11.1). */
export function readBoolean(element: Element, what: string): boolean {
  const value = element.bytes[element.from]
  if (element.end - element.from !== 1 || (value !== 0 && value !== 0xff))
    throw unreadable('boolean', `${what} is not a boolean.`)
  return value === 0xff
}

/**
 * `BOOLEAN DEFAULT FALSE`. DER leaves the default out (X.690 §11.5), but widely used issuers write it, and it cannot be
 * misread: both forms mean FALSE.
 */
export function takeDefaultFalse(cursor: Cursor, what: string, tagByte: number = tag.boolean): boolean {
  const element = cursor.takeIf(tagByte)
  return element !== undefined && readBoolean(element, what)
}

/** The contents of an INTEGER in its shortest form: two's complement, big-endian. */
export function readInteger(element: Element, what: string): Buffer {
  const { bytes, from, end } = element
  const [first = 0, second = 0] = [bytes[from], bytes[from + 1]]
  const isPadded = end - from > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))
  if (end === from || isPadded) throw unreadable('integer', `${what} is not an integer in its shortest form.`)
  return bytes.subarray(from, end)
}

/** An INTEGER from 0 to 2³¹ − 1. */
export function readSmallInteger(element: Element, what: string): number {
  const bytes = readInteger(element, what)
  if (bytes.length > 4 || (bytes[0] ?? 0) >= 0x80) throw unreadable('integer', `${what} is out of range.`)
  return bytes.readUIntBE(0, bytes.length)
}

/** True for NULL. */
export const isNull = (element: Element): boolean => element.tag === tag.nullValue && isEmpty(element)

/** NULL. */
export function readNull(element: Element, what: string): void {
  if (!isNull(element)) throw unreadable('null', `${what} is not NULL.`)
}

/** A BIT STRING: its octets and how many bits at the end do not count. */
export function readBitString(element: Element, what: string): { bytes: Buffer; unused: number } {
  const unused = element.bytes[element.from] ?? 8
  const bytes = element.bytes.subarray(element.from + 1, element.end)
  const padding = (bytes[bytes.length - 1] ?? 0) & ((1 << unused) - 1)
  if (isEmpty(element) || unused > 7 || (bytes.length === 0 && unused > 0) || padding !== 0)
    throw unreadable('bit-string', `${what} is not a bit string.`)
  return { bytes, unused }
}

/** A BIT STRING of whole octets, as keys and signatures are. */
export function readOctetBits(element: Element, what: string): Buffer {
  const { bytes, unused } = readBitString(element, what)
  if (unused !== 0) throw unreadable('bit-string', `${what} does not end on an octet.`)
  return bytes
}

const longestOid = 128

/** An OBJECT IDENTIFIER in dotted form. */
export function readOid(element: Element, what: string): string {
  const { bytes, from, end } = element
  if (from === end || end - from > longestOid || (bytes[end - 1] ?? 0) >= 0x80)
    throw unreadable('oid', `${what} is not an object identifier.`)
  let text = ''
  for (let at = from; at < end; at++) {
    if (bytes[at] === 0x80) throw unreadable('oid', `${what} is not an object identifier in its shortest form.`)
    const arcStart = at
    let arc = 0
    for (; (bytes[at] ?? 0) >= 0x80; at++) arc = arc * 128 + ((bytes[at] ?? 0) & 0x7f)
    arc = arc * 128 + (bytes[at] ?? 0)
    const exactArc = Number.isSafeInteger(arc) ? arc : largeArc(bytes, arcStart, at)
    text = text === '' ? firstArcs(exactArc) : `${text}.${exactArc}`
  }
  return text
}

/** X.690 §8.19.4: the first two arcs share one number. */
function firstArcs(number: number | bigint): string {
  if (number < 40) return `0.${number}`
  if (number < 80) return `1.${Number(number) - 40}`
  return `2.${BigInt(number) - 80n}`
}

function largeArc(bytes: Buffer, from: number, to: number): bigint {
  let arc = 0n
  for (let at = from; at <= to; at++) arc = (arc << 7n) | BigInt((bytes[at] ?? 0) & 0x7f)
  return arc
}

/** An INTEGER's contents as exact decimal text. */
export const decimalOf = (bytes: Uint8Array): string => bigintOf(bytes).toString()

/** An INTEGER's contents as a number of any size. */
export function bigintOf(bytes: Uint8Array): bigint {
  const value = BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex') || '0'}`)
  return (bytes[0] ?? 0) < 0x80 ? value : value - (1n << BigInt(8 * bytes.length))
}
