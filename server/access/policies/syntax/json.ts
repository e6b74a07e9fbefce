import { countNode, openSource, type Source, skip, syntaxFailure, takeMatch, unexpected } from './source.ts'
import type { SyntaxDocument, SyntaxItem, SyntaxNode } from './syntax-tree.ts'

const blank = /[ \t\r\n]+/y
// The ranges leave out the control characters U+0000 to U+001F, the quote and the backslash.
const plainRun = /[ !#-[\]-\uffff]+/y
const escapeText = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const numberText = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y
const literalText = /true|false|null/y

/**
 * Reads a JSON policy (RFC 8259) into the same document as HCL. `JSON.parse` would do but for two things: it forgets where
 * a key stood, and it drops the first of two equal keys in silence.
 */
export function parseJson(text: string): SyntaxDocument {
  const source = openSource(text)
  takeMatch(source, blank)
  if (source.text[source.offset] !== '{') throw unexpected(source, 'a JSON object')
  const { items } = readObject(source, 0)
  takeMatch(source, blank)
  if (source.offset < source.text.length) throw unexpected(source, 'the end of the text')
  return { items, duplicates: source.duplicates }
}

function readObject(source: Source, depth: number): { kind: 'object'; items: SyntaxItem[]; at: number } {
  const at = source.offset
  source.offset += 1
  const items: SyntaxItem[] = []
  const seen = new Set<string>()
  takeMatch(source, blank)
  if (skip(source, '}')) return { kind: 'object', items, at }
  do {
    items.push(readItem(source, depth, seen))
    takeMatch(source, blank)
  } while (skip(source, ','))
  if (!skip(source, '}')) throw unexpected(source, "',' or '}' in the object")
  return { kind: 'object', items, at }
}

function readItem(source: Source, depth: number, seen: Set<string>): SyntaxItem {
  takeMatch(source, blank)
  countNode(source, depth)
  const at = source.offset
  if (source.text[at] !== '"') throw unexpected(source, 'a key in double quotes')
  const key = readString(source)
  if (seen.has(key)) source.duplicates.push({ key, at })
  seen.add(key)
  takeMatch(source, blank)
  if (!skip(source, ':')) throw unexpected(source, "':' after the key")
  return { key, at, value: readValue(source, depth + 1) }
}

function readValue(source: Source, depth: number): SyntaxNode {
  takeMatch(source, blank)
  countNode(source, depth)
  const at = source.offset
  const next = source.text[at] ?? ''
  if (next === '"') return { kind: 'string', value: readString(source), at }
  if (next === '{') return readObject(source, depth)
  if (next === '[') return readList(source, depth)
  const literal = takeMatch(source, literalText)
  if (literal === 'null') return { kind: 'null', at }
  if (literal !== undefined) return { kind: 'boolean', value: literal === 'true', at }
  const number = takeMatch(source, numberText)
  if (number === undefined) throw unexpected(source, 'a JSON value')
  if (!Number.isFinite(Number(number))) throw syntaxFailure(source.text, at, 'the number is too large')
  return { kind: 'number', value: Number(number), at }
}

function readList(source: Source, depth: number): SyntaxNode {
  const at = source.offset
  source.offset += 1
  const items: SyntaxNode[] = []
  takeMatch(source, blank)
  if (skip(source, ']')) return { kind: 'list', items, at }
  do {
    items.push(readValue(source, depth + 1))
    takeMatch(source, blank)
  } while (skip(source, ','))
  if (!skip(source, ']')) throw unexpected(source, "',' or ']' in the list")
  return { kind: 'list', items, at }
}

/** Finds the end of the string run by run (one expression for all of it could backtrack without bound), then decodes it. */
function readString(source: Source): string {
  const start = source.offset
  source.offset += 1
  while (takeMatch(source, plainRun) ?? takeMatch(source, escapeText));
  const value: unknown = skip(source, '"') ? JSON.parse(source.text.slice(start, source.offset)) : undefined
  if (typeof value !== 'string' || !value.isWellFormed()) {
    throw syntaxFailure(
      source.text,
      start,
      'the string is not closed, or holds an unknown escape or a control character',
    )
  }
  return value
}
