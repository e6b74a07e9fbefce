import { readHeredoc, readNumber, readQuoted } from './hcl-literals.ts'
import { countNode, openSource, type Source, skip, syntaxFailure, takeMatch, unexpected } from './source.ts'
import type { SyntaxDocument, SyntaxItem, SyntaxNode } from './syntax-tree.ts'

const blank = /[ \t\r\n]+/y
const lineComment = /(?:#|\/\/)[^\n]*/y
const word = /[A-Za-z_][A-Za-z0-9_.-]*/y

/**
 * Reads the part of HCL version 1 that policies use: attributes, labelled blocks, strings, heredocs, numbers, booleans,
 * lists, objects and three kinds of comment. Every character is looked at a bounded number of times.
 */
export function parseHcl(text: string): SyntaxDocument {
  const source = openSource(text)
  const items = readItems(source, 0)
  if (source.offset < source.text.length) throw unexpected(source, 'a key')
  return { items, duplicates: source.duplicates }
}

/** Items up to a closing brace or the end of the text; commas between them are optional, as are line breaks. */
function readItems(source: Source, depth: number): SyntaxItem[] {
  const items: SyntaxItem[] = []
  const assigned = new Set<string>()
  for (;;) {
    skipBlank(source)
    const next = source.text[source.offset]
    if (next === undefined || next === '}') return items
    items.push(readItem(source, depth, assigned))
    skipBlank(source)
    skip(source, ',')
  }
}

/** `key = value`, `key { … }` or `key "label" { … }`. */
function readItem(source: Source, depth: number, assigned: Set<string>): SyntaxItem {
  const key = readKey(source, depth, 'a key')
  const labels: Key[] = []
  for (;;) {
    skipBlank(source)
    const next = source.text[source.offset]
    const inside = depth + 1 + labels.length
    if (next === '{') return { ...key, value: nestLabels(labels, readObject(source, inside)) }
    if (next === '=' && labels.length === 0) return { ...key, value: readAssignment(source, inside, key, assigned) }
    labels.push(readKey(source, inside, labels.length === 0 ? "'=', '{' or a label" : "'{' or a label"))
  }
}

type Key = { key: string; at: number }

function readKey(source: Source, depth: number, expected: string): Key {
  countNode(source, depth)
  const at = source.offset
  const key = source.text[at] === '"' ? readQuoted(source) : takeMatch(source, word)
  if (key === undefined) throw unexpected(source, expected)
  return { key, at }
}

function readAssignment(source: Source, depth: number, { key, at }: Key, assigned: Set<string>): SyntaxNode {
  source.offset += 1
  if (assigned.has(key)) source.duplicates.push({ key, at })
  assigned.add(key)
  return readValue(source, depth)
}

/** Turns the labels of a block into objects that hold one another, the first outermost. */
const nestLabels = (labels: readonly Key[], block: SyntaxNode): SyntaxNode =>
  labels.reduceRight<SyntaxNode>(
    (inner, { key, at }) => ({ kind: 'object', items: [{ key, at, value: inner }], at }),
    block,
  )

function readValue(source: Source, depth: number): SyntaxNode {
  skipBlank(source)
  countNode(source, depth)
  const at = source.offset
  const next = source.text[at] ?? ''
  if (next === '"') return { kind: 'string', value: readQuoted(source), at }
  if (next === '<') return { kind: 'string', value: readHeredoc(source), at }
  if (next === '[') return readList(source, depth)
  if (next === '{') return readObject(source, depth)
  if (/[-0-9]/.test(next)) return { kind: 'number', value: readNumber(source), at }
  const bare = takeMatch(source, word)
  if (bare === 'true' || bare === 'false') return { kind: 'boolean', value: bare === 'true', at }
  if (bare !== undefined) throw syntaxFailure(source.text, at, `'${bare}' is not a value; text needs double quotes`)
  throw unexpected(source, 'a value')
}

function readObject(source: Source, depth: number): SyntaxNode {
  const at = source.offset
  countNode(source, depth)
  source.offset += 1
  const items = readItems(source, depth + 1)
  if (!skip(source, '}')) throw syntaxFailure(source.text, at, "'{' is not closed")
  return { kind: 'object', items, at }
}

function readList(source: Source, depth: number): SyntaxNode {
  const at = source.offset
  source.offset += 1
  const items: SyntaxNode[] = []
  for (;;) {
    skipBlank(source)
    if (skip(source, ']')) return { kind: 'list', items, at }
    items.push(readValue(source, depth + 1))
    skipBlank(source)
    if (!skip(source, ',') && source.text[source.offset] !== ']') throw unexpected(source, "',' or ']' in the list")
  }
}

function skipBlank(source: Source): void {
  for (;;) {
    const start = source.offset
    takeMatch(source, blank)
    takeMatch(source, lineComment)
    if (source.text.startsWith('/*', source.offset)) skipBlockComment(source)
    if (source.offset === start) return
  }
}

function skipBlockComment(source: Source): void {
  const end = source.text.indexOf('*/', source.offset + 2)
  if (end === -1) throw syntaxFailure(source.text, source.offset, "the comment '/*' is not closed")
  source.offset = end + 2
}
