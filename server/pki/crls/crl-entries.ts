import { extensionOid, readExtensions } from '../certificates/extensions.ts'
import { type Element, openSequence, readElement, readInteger, unreadable } from '../der.ts'
import { readTime } from '../der-text.ts'
import { tag } from '../der-writer.ts'
import { longestSerial, SerialSet } from './serial-set.ts'

/** How many bytes of entries are read before others get a turn. */
export const bytesPerTurn = 64 * 1024

/** A reason, a date and the name of an issuer take a few hundred bytes; a larger entry was made to cost time. */
const mostEntryBytes = 16 * 1024

/** Reads the header of an entry, whatever its length. */
export function readEntryElement(list: Element, at: number): Element {
  const element = readElement(list.bytes, at, list.end, list.depth + 1)
  if (element.end - at > mostEntryBytes) throw unreadable('crl-entry', 'An entry of the list is too long.')
  return element
}

/**
 * Collects the revoked serial numbers of a list; every `yield` is a good moment to let others work. The first pass checks
 * the entries and counts how much room they need, the second stores their numbers.
 */
export function* collectSerials(list: Element | undefined, seed: number): Generator<void, SerialSet> {
  let [count, octets] = [0, 0]
  let turn = list?.from ?? 0
  for (const entry of visitEntries(list, 'check')) {
    count++
    octets += entry.serialEnd - entry.serialFrom
    if (entry.serialEnd - turn < bytesPerTurn) continue
    turn = entry.serialEnd
    yield
  }
  const serials = new SerialSet(count, octets, seed)
  turn = list?.from ?? 0
  for (const entry of visitEntries(list, 'checked-before')) {
    if (list !== undefined) serials.add(list.bytes, entry.serialFrom, entry.serialEnd)
    if (entry.serialEnd - turn < bytesPerTurn) continue
    turn = entry.serialEnd
    yield
  }
  return serials
}

type Entry = { serialFrom: number; serialEnd: number }

/** Whether the contents of entries are checked, or were checked by an earlier pass. */
type Checking = 'check' | 'checked-before'

/**
 * Visits the entries of a list. A list can have millions, so the one object handed out is used again and the common
 * short form is read by hand; whatever looks different goes through the ordinary reader.
 */
function* visitEntries(list: Element | undefined, checking: Checking): Generator<Entry> {
  if (list === undefined) return
  const entry: Entry = { serialFrom: 0, serialEnd: 0 }
  const { bytes, end } = list
  const isChecked = checking === 'check'
  const seen = new SeenExtensions()
  for (let at = list.from; at < end; ) {
    const entryEnd = at + 2 + (bytes[at + 1] ?? 0)
    const serialLength = bytes[at + 3] ?? 0
    const serialEnd = at + 4 + serialLength
    const isShort = bytes[at] === tag.sequence && (bytes[at + 1] ?? 0xff) < 0x80 && entryEnd <= end
    if (!isShort || bytes[at + 2] !== tag.integer || serialLength > longestSerial || serialEnd > entryEnd) {
      at = readLongEntry(list, at, entry, isChecked)
    } else {
      entry.serialFrom = at + 4
      entry.serialEnd = serialEnd
      if (isChecked) checkEntry(bytes, entry, entryEnd, seen)
      at = entryEnd
    }
    yield entry
  }
}

/** Reads an entry whose lengths take several octets: one with many extensions. */
function readLongEntry(list: Element, at: number, entry: Entry, isChecked: boolean): number {
  const element = readEntryElement(list, at)
  const parts = openSequence(element, 'An entry of the list')
  const serial = parts.take(tag.integer)
  if (serial.end - serial.from > longestSerial) throw unreadable('serial', 'A serial number on the list is too long.')
  entry.serialFrom = serial.from
  entry.serialEnd = serial.end
  if (isChecked) checkEntry(list.bytes, entry, element.end, new SeenExtensions())
  return element.end
}

/** Checks the contents of an entry: a proper serial number, a date, allowed extensions. */
function checkEntry(bytes: Buffer, entry: Entry, end: number, seen: SeenExtensions): void {
  const { serialFrom, serialEnd } = entry
  const first = bytes[serialFrom] ?? 0
  if (serialFrom === serialEnd || ((first === 0 || first === 0xff) && serialEnd - serialFrom > 1))
    readInteger(
      { bytes, tag: tag.integer, start: serialFrom, from: serialFrom, end: serialEnd, depth: 0 },
      'A serial number',
    )
  const dateEnd = checkDate(bytes, serialEnd, end)
  if (dateEnd === end || seen.has(bytes, dateEnd, end)) return
  checkExtensions(bytes, dateEnd, end)
  seen.add(dateEnd, end)
}

const utcTimeBytes = 15

/** Checks a revocation date and returns where it ends. Those of this century in the usual form are read by hand. */
function checkDate(bytes: Buffer, at: number, end: number): number {
  const dateEnd = at + utcTimeBytes
  const isUtcTime = dateEnd <= end && bytes[at] === tag.utcTime && bytes[at + 1] === 13 && bytes[at + 14] === 0x5a
  if (isUtcTime && isPlainDate(bytes, at + 2)) return dateEnd
  const date = readElement(bytes, at, end)
  readTime(date, 'A revocation date')
  return date.end
}

/** Largest value of each pair of digits behind the year; days 29 to 31 are left to the calendar. */
const largest = [99, 12, 28, 23, 59, 59]

function isPlainDate(bytes: Buffer, at: number): boolean {
  for (let pair = 0; pair < 6; pair++) {
    const tens = (bytes[at + 2 * pair] ?? 0) - 0x30
    const ones = (bytes[at + 2 * pair + 1] ?? 0) - 0x30
    const value = tens * 10 + ones
    const isDate = pair === 1 || pair === 2
    if (tens < 0 || ones < 0 || tens > 9 || ones > 9 || value > (largest[pair] ?? 0) || (isDate && value === 0))
      return false
  }
  return true
}

/** Most entries carry one of a handful of reasons: each encoding is looked at once, then compared. */
class SeenExtensions {
  readonly #places: { from: number; end: number }[] = []

  has(bytes: Buffer, from: number, end: number): boolean {
    return this.#places.some((place) => isSameBytes(bytes, place, from, end))
  }

  add(from: number, end: number): void {
    if (this.#places.length < 12) this.#places.push({ from, end })
  }
}

function isSameBytes(bytes: Buffer, place: { from: number; end: number }, from: number, end: number): boolean {
  if (place.end - place.from !== end - from) return false
  for (let at = from, other = place.from; at < end; at++, other++) if (bytes[at] !== bytes[other]) return false
  return true
}

function checkExtensions(bytes: Buffer, at: number, end: number): void {
  const element = readElement(bytes, at, end)
  if (element.tag !== tag.sequence || element.end !== end)
    throw unreadable('crl-entry', 'An entry of the list holds more than it may.')
  for (const { oid, critical } of readExtensions(element, 'An entry of the list').values()) {
    if (oid === extensionOid.certificateIssuer) throw unreadable('indirect-crl', 'The list also covers other issuers.')
    if (critical && oid !== extensionOid.reasonCode)
      throw unreadable('critical-extension', `An entry of the list has the unknown critical extension ${oid}.`)
  }
}
