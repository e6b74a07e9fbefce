import { isUtf8 } from 'node:buffer'
import { type Failure, failure } from '../kernel/failure.ts'

/** How deep, wide and long a JSON document may be. Strings count as written. */
export type JsonLimits = {
  maxDepth: number
  /** Of each object and each list. */
  maxEntries: number
  /** Of all of them together: lists of lists would let a document grow without end, and everybody else wait for it. */
  maxTotalEntries: number
  maxString: number
  /** True where the reader of the document refuses NULs itself, and points at them. */
  allowsNul: boolean
}

/**
 * Reads a JSON document that a stranger sent. Beyond the grammar it refuses what two readers could understand differently
 * (RFC 8259 §4, §8.2): a key given twice, broken UTF-8, half a surrogate pair; a NUL, which not every database can store;
 * and the key `__proto__`. Errors name the place and never quote the document, for it may hold secrets.
 */
export function parseJson(bytes: Buffer, limits: JsonLimits): unknown {
  if (!isUtf8(bytes)) throw failure('malformed', 'body.encoding', 'The body is not valid UTF-8.')
  const text = bytes.toString('utf8')
  const keysWritten = checkLimits(text, limits)
  const document = parse(text)
  // Looking at every key by name costs more than parsing; a document with fewer keys than were written has a doubled one.
  if (keysWritten !== countKeys(document) || suspectText.test(text)) checkStrings(text, limits)
  return document
}

/** Texts that may hold `__proto__`, a NUL or half a surrogate pair, in letters or escaped. */
const suspectText = /__proto__|\\u/

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw notJson(text, cause)
  }
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) for (const each of value) count += countKeys(each)
  else for (const each of Object.values(value)) count += 1 + countKeys(each)
  return count
}

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Most characters outside of strings: even blanks and digits take time to look at. */
const maxOutsideStrings = 4 * 1024 * 1024

type Level = { isObject: boolean; entries: number; awaitsKey: boolean }

/** Counts from one: a list has one more entry than it has commas. */
const newLevel = (isObject: boolean): Level => ({ isObject, entries: 1, awaitsKey: isObject })

/**
 * Checks the limits in one pass before anything is built, and counts the keys. It looks at structure only; where the
 * grammar is broken it may see nonsense, and the parser then refuses the document.
 */
function checkLimits(text: string, limits: JsonLimits): number {
  const { maxTotalEntries } = limits
  const levels: Level[] = []
  let level: Level | undefined
  let keys = 0
  let entries = 0
  let around = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (++around > maxOutsideStrings)
      throw refused(text, at, `apart from its strings it has over ${maxOutsideStrings} characters`)
    if (char === quote) {
      const end = endOfString(text, at)
      if (end - at > limits.maxString + 1) throw refused(text, at, `a string has over ${limits.maxString} characters`)
      if (level?.awaitsKey === true) {
        level.awaitsKey = false
        keys++
      }
      at = end
    } else if (char === comma) {
      if (level === undefined) continue
      if (++entries > maxTotalEntries) throw refused(text, at, `it has over ${maxTotalEntries} entries in all`)
      level.awaitsKey = level.isObject
      if (++level.entries > limits.maxEntries) {
        throw refused(text, at, `${level.isObject ? 'an object' : 'a list'} has over ${limits.maxEntries} entries`)
      }
    } else if (char === openBrace || char === openBracket) {
      if (++entries > maxTotalEntries) throw refused(text, at, `it has over ${maxTotalEntries} entries in all`)
      if (levels.length >= limits.maxDepth) throw refused(text, at, `it is nested over ${limits.maxDepth} levels deep`)
      level = newLevel(char === openBrace)
      levels.push(level)
    } else if (char === closeBrace || char === closeBracket) {
      levels.pop()
      level = levels[levels.length - 1]
    }
  }
  return keys
}

/** Refuses the strings of a document that must not be: doubled keys, `__proto__`, half a surrogate pair, NULs. */
function checkStrings(text: string, { allowsNul }: JsonLimits): void {
  const objects: (Set<string> | undefined)[] = []
  let awaitsKey = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) {
      const end = endOfString(text, at)
      const string = String(JSON.parse(text.slice(at, end + 1)))
      if (!string.isWellFormed()) throw refused(text, at, 'a string has half a surrogate pair')
      if (!allowsNul && string.includes('\0')) throw refused(text, at, 'a string has a NUL character')
      if (awaitsKey) checkKey(text, at, string, objects.at(-1))
      awaitsKey = false
      at = end
    } else if (char === openBrace || char === openBracket) {
      objects.push(char === openBrace ? new Set() : undefined)
      awaitsKey = char === openBrace
    } else if (char === closeBrace || char === closeBracket) {
      objects.pop()
      awaitsKey = false
    } else if (char === comma) awaitsKey = objects.at(-1) !== undefined
  }
}

function checkKey(text: string, at: number, key: string, siblings: Set<string> | undefined): void {
  // An object that inherits from what a client sent would answer for fields nobody checked.
  if (key === '__proto__') throw refused(text, at, "the key '__proto__' is not allowed")
  if (siblings?.has(key) === true) throw refused(text, at, 'a key is given twice')
  siblings?.add(key)
}

/** Offset of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
  return slashes % 2 === 1
}

/** The parser's own message quotes the document, so only the place is taken from it. */
function notJson(text: string, cause: unknown): Failure {
  const message = cause instanceof Error ? cause.message : ''
  const named = /at position (\d+)/.exec(message)?.[1]
  if (named !== undefined) return refused(text, Number(named), 'it is not valid JSON')
  if (message.includes('end of JSON')) return refused(text, text.length, 'it ends too early')
  // Where the parser names no place, searching for it is worth the time only near the beginning.
  const at = firstBadValue(text.slice(0, maxCounted))
  return at < maxCounted
    ? refused(text, at, 'it is not valid JSON')
    : failure('malformed', 'body.json', `The body cannot be read as JSON (after character ${maxCounted}).`)
}

const value = /true|false|null|-?\d[\d.eE+-]*|["[{]/y

/** The parser names no place for a value it does not know; this finds the first one. */
function firstBadValue(text: string): number {
  let last = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (' \t\r\n'.includes(char)) continue
    const isEmptyPair = last + char === '[]' || last + char === '{}'
    if ('[{,:'.includes(last) && !isEmptyPair) {
      value.lastIndex = at
      if (!value.test(text)) return at
      at = char === '"' ? endOfString(text, at) : value.lastIndex - 1
    }
    last = char
  }
  return text.length
}

const refused = (text: string, at: number, reason: string): Failure =>
  failure('malformed', 'body.json', `The body cannot be read as JSON: ${reason} (${placeOf(text, at)}).`)

/** Lines are counted for people; further on in a document, nobody has typed them. */
function placeOf(text: string, at: number): string {
  if (at > maxCounted) return `character ${at + 1}`
  const before = text.slice(0, at)
  return `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`
}

const maxCounted = 64 * 1024
