import { type Source, skip, syntaxFailure, takeMatch, unexpected } from './source.ts'

const plainRun = /[^"\\\n\r\0]+/y
const octalEscape = /[0-3][0-7]{2}/y
const hexEscapes: ReadonlyMap<string, RegExp> = new Map([
  ['x', /[0-9a-fA-F]{2}/y],
  ['u', /[0-9a-fA-F]{4}/y],
  ['U', /[0-9a-fA-F]{8}/y],
])
const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
  ['"', '"'],
])

/** Reads a string in double quotes; the reader is at the first quote. */
export function readQuoted(source: Source): string {
  const start = source.offset
  source.offset += 1
  const parts: string[] = []
  for (;;) {
    parts.push(takeMatch(source, plainRun) ?? '')
    if (skip(source, '"')) return parts.join('')
    if (source.text[source.offset] !== '\\')
      throw syntaxFailure(source.text, start, 'the string is not closed on its line')
    parts.push(readEscape(source))
  }
}

function readEscape(source: Source): string {
  const start = source.offset
  source.offset += 1
  const octal = takeMatch(source, octalEscape)
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
  const letter = source.text[source.offset] ?? ''
  source.offset += 1
  const short = shortEscapes.get(letter)
  if (short !== undefined) return short
  const wanted = hexEscapes.get(letter)
  const digits = wanted && takeMatch(source, wanted)
  const point = digits === undefined ? Number.NaN : Number.parseInt(digits, 16)
  if (!(point <= 0x10ffff) || (point >= 0xd800 && point <= 0xdfff)) {
    throw syntaxFailure(source.text, start, `unknown escape ${JSON.stringify(`\\${letter}`)} in a string`)
  }
  return String.fromCodePoint(point)
}

const heredocOpening = /<<(-?)([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*\r?\n/y

/** Reads `<<NAME` (lines as they are) or `<<-NAME` (the indent of the closing line removed) up to a line with the name. */
export function readHeredoc(source: Source): string {
  const start = source.offset
  heredocOpening.lastIndex = start
  const opening = heredocOpening.exec(source.text)
  if (!opening) throw unexpected(source, "a heredoc: '<<', a name, then a new line")
  const [whole, dash, name = ''] = opening
  source.offset += whole.length
  const lines: string[] = []
  while (source.offset < source.text.length) {
    const line = readLine(source)
    if (line.trim() === name) {
      // The line break that ends the closing line is blank space between items, so it need not be given back.
      return (dash === '-' ? unindent(lines, line) : lines).map((each) => `${each}\n`).join('')
    }
    lines.push(line)
  }
  throw syntaxFailure(source.text, start, `the heredoc is not closed: no line '${name}' follows`)
}

function readLine(source: Source): string {
  const end = source.text.indexOf('\n', source.offset)
  const line = source.text.slice(source.offset, end === -1 ? undefined : end)
  source.offset = end === -1 ? source.text.length : end + 1
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

function unindent(lines: readonly string[], closing: string): readonly string[] {
  const indent = closing.slice(0, closing.length - closing.trimStart().length)
  const all = lines.every((line) => line === '' || line.startsWith(indent))
  return all ? lines.map((line) => line.slice(indent.length)) : lines
}

const numberText = /-?(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y

/** Reads a whole, fractional or hexadecimal number. */
export function readNumber(source: Source): number {
  const start = source.offset
  const text = takeMatch(source, numberText)
  const negative = text?.startsWith('-') ?? false
  const value = text === undefined ? Number.NaN : Number(negative ? text.slice(1) : text)
  if (!Number.isFinite(value)) throw syntaxFailure(source.text, start, 'not a number')
  return negative ? -value : value
}
