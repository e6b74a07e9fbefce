import { isUtf8 } from 'node:buffer'
import { type Failure, failure } from '../kernel/failure.ts'

/** How deep, wide and long a JSON document may be. Entries count per object and per array, strings as written. */
export type JsonLimits = { maxDepth: number; maxEntries: number; maxString: number }

/** Limits no client of ours comes near. */
export const defaultJsonLimits: JsonLimits = { maxDepth: 500, maxEntries: 10_000, maxString: 1024 * 1024 }

/**
 * Reads a JSON document that a stranger sent. Beyond the grammar it refuses what two readers could understand differently
 * (RFC 8259 §4, §8.2): a key given twice, broken UTF-8, half a surrogate pair; and the key `__proto__`. Errors name the
 * place and never quote the document, for it may hold secrets.
 */
export function parseJson(bytes: Buffer, limits: JsonLimits = defaultJsonLimits): unknown {
  if (!isUtf8(bytes)) throw failure('malformed', 'body.encoding', 'The body is not valid UTF-8.')
  const text = bytes.toString('utf8')
  guard(text, limits)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw notJson(text, cause)
  }
}

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** An object or array being read. Most objects are small, so the set of keys is made for the second key only. */
type Level = { isObject: boolean; entries: number; awaitsKey: boolean; firstKey: string; keys: Set<string> | undefined }

/**
 * One pass over the text before it is parsed, so that nothing is built from a document that is refused. It looks at
 * structure only; where the grammar is broken it may see nonsense, and the parser then refuses the document.
 */
function guard(text: string, limits: JsonLimits): void {
  const mayHoldSurrogates = surrogateEscape.test(text)
  const levels: Level[] = []
  let level: Level | undefined
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = endOfString(text, at)
        if (end - at > limits.maxString + 1) throw refused(text, at, `a string has over ${limits.maxString} characters`)
        if (mayHoldSurrogates) requireWholePairs(text, at, end)
        if (level?.awaitsKey === true) takeKey(text, at, end, level)
        at = end
        break
      }
      case openBrace:
      case openBracket:
        if (levels.length >= limits.maxDepth)
          throw refused(text, at, `it is nested over ${limits.maxDepth} levels deep`)
        level = newLevel(text.charCodeAt(at) === openBrace)
        levels.push(level)
        break
      case closeBrace:
      case closeBracket:
        levels.pop()
        level = levels[levels.length - 1]
        break
      case comma:
        if (level === undefined) break
        level.awaitsKey = level.isObject
        if (++level.entries > limits.maxEntries) throw refused(text, at, `a list has over ${limits.maxEntries} entries`)
    }
  }
}

/** Counts from one: a list has one more entry than it has commas. */
const newLevel = (isObject: boolean): Level => ({
  isObject,
  entries: 1,
  awaitsKey: isObject,
  firstKey: '',
  keys: undefined,
})

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

function takeKey(text: string, start: number, end: number, level: Level): void {
  const written = text.slice(start + 1, end)
  const key = written.includes('\\') ? (decoded(text.slice(start, end + 1)) ?? written) : written
  // An object that inherits from what a client sent would answer for fields nobody checked.
  if (key === '__proto__') throw refused(text, start, "the key '__proto__' is not allowed")
  level.awaitsKey = false
  if (level.entries === 1) {
    level.firstKey = key
    return
  }
  level.keys ??= new Set([level.firstKey])
  if (level.keys.has(key)) throw refused(text, start, 'a key is given twice')
  level.keys.add(key)
}

const surrogateEscape = /\\u[dD][89a-fA-F]/

/** Half a surrogate pair cannot be stored as UTF-8: what is read back would differ from what was checked. */
function requireWholePairs(text: string, start: number, end: number): void {
  if (decoded(text.slice(start, end + 1))?.isWellFormed() === false) {
    throw refused(text, start, 'a string has half a surrogate pair')
  }
}

function decoded(literal: string): string | undefined {
  try {
    return String(JSON.parse(literal))
  } catch (error) {
    // Not a string by the grammar: the parser will say so of the whole document.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The parser's own message quotes the document, so only the place is taken from it. */
function notJson(text: string, cause: unknown): Failure {
  const message = cause instanceof Error ? cause.message : ''
  const named = /at position (\d+)/.exec(message)?.[1]
  if (named !== undefined) return refused(text, Number(named), 'it is not valid JSON')
  if (message.includes('end of JSON')) return refused(text, text.length, 'it ends too early')
  // Far into a long document only the parser's own word would be worth its time.
  const at = firstBadValue(text.slice(0, maxCounted))
  return at < maxCounted
    ? refused(text, at, 'it is not valid JSON')
    : failure('malformed', 'body.json', `The body cannot be read as JSON (behind character ${maxCounted}).`)
}

const value = /true|false|null|-?\d[\d.eE+-]*|["[{]/y

/** The parser names no place for a value it does not know; this finds the first one. */
function firstBadValue(text: string): number {
  let last = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (' \t\r\n'.includes(char)) continue
    const isEmptyList = last + char === '[]' || last + char === '{}'
    if ('[{,:'.includes(last) && !isEmptyList) {
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

/** Counting lines is for people; what is longer nobody typed. */
function placeOf(text: string, at: number): string {
  if (at > maxCounted) return `character ${at + 1}`
  const before = text.slice(0, at)
  return `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`
}

const maxCounted = 64 * 1024
