import { isAscii, isUtf8 } from 'node:buffer'
import { type Instant, instant } from '../kernel/clock.ts'
import { contents, type Element, unreadable } from './der.ts'
import { tag } from './der-writer.ts'

const textTags: ReadonlySet<number> = new Set([
  tag.utf8String,
  tag.printableString,
  tag.numericString,
  tag.ia5String,
  tag.visibleString,
  tag.t61String,
  tag.generalString,
  tag.bmpString,
  tag.universalString,
])

/** True for the tag of an ASN.1 string type. */
export const isTextTag = (tagByte: number): boolean => textTags.has(tagByte)

/** The text of a value of any ASN.1 string type; undefined when it is none or breaks the rules of its type. */
export function readText(element: Element): string | undefined {
  const bytes = contents(element)
  switch (element.tag) {
    case tag.utf8String:
      return isUtf8(bytes) ? bytes.toString('utf8') : undefined
    case tag.printableString:
      return every(bytes, isPrintable) ? bytes.toString('latin1') : undefined
    case tag.numericString:
      return every(bytes, isNumeric) ? bytes.toString('latin1') : undefined
    case tag.ia5String:
    case tag.visibleString:
      return isAscii(bytes) ? bytes.toString('latin1') : undefined
    case tag.t61String:
    case tag.generalString:
      // Both types may switch alphabets inside the text, which nobody does: what issuers write is UTF-8 or Latin-1.
      return isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1')
    case tag.bmpString:
      return bytes.length % 2 === 0 ? wellFormed(Buffer.from(bytes).swap16().toString('utf16le')) : undefined
    case tag.universalString:
      return readUniversal(bytes)
    default:
      return undefined
  }
}

const wellFormed = (text: string): string | undefined => (text.isWellFormed() ? text : undefined)

function readUniversal(bytes: Buffer): string | undefined {
  if (bytes.length % 4 !== 0) return undefined
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    const point = bytes.readUInt32BE(at)
    if (point > 0x10ffff) return undefined
    text += String.fromCodePoint(point)
  }
  return wellFormed(text)
}

function every(bytes: Buffer, test: (byte: number) => boolean): boolean {
  for (let at = 0; at < bytes.length; at++) if (!test(bytes[at] ?? 0)) return false
  return true
}

const isNumeric = (byte: number): boolean => (byte >= 0x30 && byte <= 0x39) || byte === 0x20

// X.680 §41.4, and the star and ampersand that issuers put there all the same.
const printable = new Set(Buffer.from(" '()*+,-./:=?&", 'latin1'))
const isPrintable = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x30 && byte <= 0x39) ||
  printable.has(byte)

/** UTCTime or GeneralizedTime in the one form RFC 5280 §4.1.2.5 allows: whole seconds, `Z`. */
export function readTime(element: Element, what: string): Instant {
  const { bytes, from, end } = element
  const yearDigits = element.tag === tag.utcTime ? 2 : element.tag === tag.generalizedTime ? 4 : 0
  if (yearDigits === 0 || end - from !== yearDigits + 11 || bytes[end - 1] !== 0x5a)
    throw unreadable('time', `${what} is not a time in UTC with seconds.`)
  const rest = from + yearDigits
  const two = (index: number): number => digits(bytes, rest + 2 * index, 2)
  const shortYear = digits(bytes, from, yearDigits)
  const year = yearDigits === 4 ? shortYear : shortYear + (shortYear < 50 ? 2000 : 1900)
  const at = instantOf(year, [two(0), two(1), two(2), two(3), two(4)])
  if (at === undefined) throw unreadable('time', `${what} is not a date of the calendar.`)
  return at
}

function digits(bytes: Buffer, at: number, count: number): number {
  let value = 0
  for (let index = at; index < at + count; index++) {
    const digit = (bytes[index] ?? 0) - 0x30
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

type MonthToSecond = [month: number, day: number, hour: number, minute: number, second: number]

function instantOf(year: number, [month, day, hour, minute, second]: MonthToSecond): Instant | undefined {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
  const isReal =
    year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= days && hour <= 23 && minute <= 59 && second <= 59
  if (!isReal) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return instant(date.setUTCHours(hour, minute, second))
}
