import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const LONGEST_SENTENCE = 30
const LONGEST_CELL = 25

/** A paragraph, an item of a list or a cell of a table, and the line on which it begins. */
type Passage = { kind: 'text' | 'cell'; line: number; text: string }

const FENCE = /^\s*```/
const TABLE_ROW = /^\s*\|/
const BEGINS_A_PASSAGE = /^\s*(?:[-*]|\d+\.|#+|>)\s/

/** The passages of a page, without code blocks. */
function passagesOf(page: string): Passage[] {
  const passages: Passage[] = []
  let open: Passage | undefined
  let inCode = false
  for (const [index, line] of page.split('\n').entries()) {
    const fence = FENCE.test(line)
    if (fence) inCode = !inCode
    if (fence || inCode || line.trim() === '' || TABLE_ROW.test(line)) open = undefined
    if (fence || inCode || line.trim() === '') continue
    if (TABLE_ROW.test(line)) {
      passages.push(...cellsOf(line).map((text): Passage => ({ kind: 'cell', line: index + 1, text })))
    } else if (!open || BEGINS_A_PASSAGE.test(line)) {
      open = { kind: 'text', line: index + 1, text: line.replace(BEGINS_A_PASSAGE, '') }
      passages.push(open)
    } else {
      open.text += ` ${line.trim()}`
    }
  }
  return passages
}

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .split(/(?<!\\)\|/)
    .slice(1, -1)

/** A link counts as its words, code as one word, and a sign that stands alone as none. */
const wordsIn = (text: string): number =>
  text
    .replace(/`[^`]*`/g, 'code')
    .replace(/\]\([^)]*\)/g, ']')
    .split(/\s+/)
    .filter((word) => /\w/.test(word)).length

const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?][)"'*_]*)\s+/)

/** The sentences and cells of a page that are too long, each with its place. */
function tooLong(name: string, page: string): string[] {
  return passagesOf(page).flatMap(({ kind, line, text }) => {
    const limit = kind === 'cell' ? LONGEST_CELL : LONGEST_SENTENCE
    const parts = kind === 'cell' ? [text.trim()] : sentencesOf(text)
    const long = parts.filter((part) => wordsIn(part) > limit)
    return long.map(
      (part) =>
        `${name}:${line}: ${wordsIn(part)} words, at most ${limit} in a ${kind === 'cell' ? 'cell' : 'sentence'}: ${part}`,
    )
  })
}

test.each(['*.md', 'docs/**/*.md', 'changelog/*.md'])(
  '%s: no sentence and no cell is too long to read at once',
  (pattern) => {
    const pages = globSync(pattern, { cwd: root })
    expect(pages).not.toEqual([])
    expect(pages.flatMap((page) => tooLong(page, readFileSync(join(root, page), 'utf8')))).toEqual([])
  },
)
