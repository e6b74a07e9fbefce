import { type Failure, failure } from '../../../kernel/failure.ts'
import type { Duplicate } from './syntax-tree.ts'

/** The longest policy text that is read, in characters. */
const maxPolicyLength = 1_048_576

/** How deep objects and lists may nest; a policy needs four levels. */
const maxDepth = 32

/** How many keys and values one text may hold; with the length it bounds the memory a reader takes. */
const maxNodes = 100_000

/** A text being read: where the reader is, and what it has spent of its budget. */
export type Source = { readonly text: string; offset: number; nodes: number; readonly duplicates: Duplicate[] }

/** Starts reading a text; a byte order mark at its beginning is skipped. */
export function openSource(text: string): Source {
  const source: Source = { text, offset: text.startsWith('\uFEFF') ? 1 : 0, nodes: 0, duplicates: [] }
  if (text.length > maxPolicyLength) {
    throw syntaxFailure(text, 0, `the text has ${text.length} characters, the limit is ${maxPolicyLength}`)
  }
  return source
}

/** A place in a text, counted from one. */
type Place = { line: number; column: number }

/** Finds the line and column of offsets; the table of lines is made once, on first use. */
export function createPlaceFinder(text: string): (offset: number) => Place {
  let starts: number[] | undefined
  return (offset) => {
    starts ??= lineStarts(text)
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The one refusal of policy texts; it names line and column. */
export function syntaxFailure(text: string, offset: number, what: string): Failure {
  const { line, column } = createPlaceFinder(text)(offset)
  return failure('invalid', 'policy.syntax', `policy: line ${line}, column ${column}: ${what}`)
}

/** A refusal at the current place of the reader. */
export const unexpected = (source: Source, expected: string): Failure =>
  syntaxFailure(source.text, source.offset, `expected ${expected}, found ${describe(source)}`)

function describe(source: Source): string {
  const point = source.text.codePointAt(source.offset)
  return point === undefined ? 'the end of the text' : JSON.stringify(String.fromCodePoint(point))
}

/** Counts one more key or value, and refuses the text when it has too many. */
export function countNode(source: Source, depth: number): void {
  source.nodes += 1
  if (source.nodes > maxNodes) {
    throw syntaxFailure(source.text, source.offset, `the policy holds more than ${maxNodes} keys and values`)
  }
  if (depth > maxDepth) {
    throw syntaxFailure(source.text, source.offset, `nested deeper than ${maxDepth} levels`)
  }
}

/** Reads what a sticky expression matches here, and moves behind it. */
export function takeMatch(source: Source, pattern: RegExp): string | undefined {
  pattern.lastIndex = source.offset
  const found = pattern.exec(source.text)?.[0]
  if (found !== undefined) source.offset += found.length
  return found
}

/** Skips a character if it is the next one. */
export function skip(source: Source, character: string): boolean {
  if (source.text[source.offset] !== character) return false
  source.offset += 1
  return true
}
