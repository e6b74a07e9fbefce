/**
 * What keeps a text from being one HCL expression when it stands behind `key =`, or undefined. A line break outside of
 * brackets ends an expression, and what follows would be another assignment. The text is not understood beyond that: the
 * tool says what else is wrong with it.
 */
export function expressionFault(text: string): string | undefined {
  if (text.includes('\0')) return 'it has a NUL'
  const scan: Scan = { text, at: 0, open: [], templates: 0 }
  let isEmpty = true
  while (scan.at < text.length) {
    const sign = text[scan.at] ?? ''
    if (/[\r\n]/.test(sign) && scan.open.length === 0 && !isEmpty) {
      return isBlank(text, scan.at) ? undefined : 'it goes on after the end of a line'
    }
    if (/[\r\n]/.test(sign) && isEmpty) return 'it begins with an empty line'
    if (/[ \t\r\n]/.test(sign)) scan.at++
    else if (isComment(scan)) {
      if (!skipComment(scan)) return 'a comment has no end'
    } else {
      isEmpty = false
      const fault = skipToken(scan)
      if (fault) return fault
    }
  }
  if (isEmpty) return 'it is empty'
  return scan.open.length > 0 ? `a '${scan.open.at(-1)}' is not closed` : undefined
}

type Scan = {
  readonly text: string
  at: number
  /** Brackets that are not closed yet. */
  readonly open: string[]
  /** How many templates this is in. */
  readonly templates: number
}

/** Templates within templates, of which nobody needs more. */
const maxTemplates = 50

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

function skipToken(scan: Scan): string | undefined {
  const { text, at, open } = scan
  const sign = text[at] ?? ''
  if (sign === '"') return skipQuoted(scan)
  const heredoc = /<<-?([\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n/uy
  heredoc.lastIndex = at
  const [start, marker = ''] = heredoc.exec(text) ?? []
  if (start !== undefined) return skipHeredoc(scan, at + start.length, marker)
  scan.at++
  if (sign in closing) open.push(sign)
  else if (')]}'.includes(sign)) {
    const opening = open.pop()
    if (opening === undefined || closing[opening] !== sign) return `a '${sign}' closes nothing`
  }
  return undefined
}

/** A text within quotes: its templates may hold quotes and brackets again, and it ends on its line outside of them. */
function skipQuoted(scan: Scan): string | undefined {
  const { text } = scan
  scan.at++
  while (scan.at < text.length) {
    const sign = text[scan.at]
    if (sign === '"') {
      scan.at++
      return undefined
    }
    if (sign === '\n' || sign === '\r') return 'a text within quotes goes on after the end of a line'
    const fault = skipPiece(scan, sign === '\\' && !/[\r\n]/.test(text[scan.at + 1] ?? '') ? 2 : 1)
    if (fault) return fault
  }
  return 'a text within quotes has no end'
}

/** A sign of a text, a template in it, or what only looks like the beginning of one. */
function skipPiece(scan: Scan, length = 1): string | undefined {
  const beginning = /(?:\$\$|%%|[$%])\{/y
  beginning.lastIndex = scan.at
  const [found = ''] = beginning.exec(scan.text) ?? []
  scan.at += found.length || length
  return found.length === 2 ? skipTemplate(scan) : undefined
}

/** What stands in `${` and `}`. */
function skipTemplate(outer: Scan): string | undefined {
  const scan: Scan = { text: outer.text, at: outer.at, open: ['{'], templates: outer.templates + 1 }
  if (scan.templates > maxTemplates) return 'it is nested too deeply'
  while (scan.open.length > 0) {
    if (scan.at >= scan.text.length) return 'a template within quotes has no end'
    if (isComment(scan)) {
      if (!skipComment(scan)) return 'a comment has no end'
      continue
    }
    const fault = skipToken(scan)
    if (fault) return fault
  }
  outer.at = scan.at
  return undefined
}

/** The lines up to one that is nothing but the marker; it leaves the line break behind the marker to be read. */
function skipHeredoc(scan: Scan, from: number, marker: string): string | undefined {
  scan.at = from
  for (let isLineStart = true; scan.at < scan.text.length; ) {
    if (isLineStart) {
      const found = scan.text.indexOf('\n', scan.at)
      const end = found < 0 ? scan.text.length : found
      if (scan.text.slice(scan.at, end).trim() === marker) {
        scan.at = end
        return undefined
      }
    }
    isLineStart = scan.text[scan.at] === '\n'
    const fault = skipPiece(scan)
    if (fault) return fault
  }
  return `the text <<${marker} has no end`
}

const isComment = ({ text, at }: Scan): boolean =>
  text[at] === '#' || (text[at] === '/' && (text[at + 1] === '/' || text[at + 1] === '*'))

/** A comment; one to the end of a line leaves the line break. */
function skipComment(scan: Scan): boolean {
  const isBlock = scan.text[scan.at + 1] === '*' && scan.text[scan.at] === '/'
  const end = scan.text.indexOf(isBlock ? '*/' : '\n', scan.at + (isBlock ? 2 : 0))
  if (end < 0 && isBlock) return false
  scan.at = end < 0 ? scan.text.length : end + (isBlock ? 2 : 0)
  return true
}

/** True if nothing but space and comments follows. */
function isBlank(text: string, from: number): boolean {
  const scan: Scan = { text, at: from, open: [], templates: 0 }
  while (scan.at < text.length) {
    if (/\s/.test(text[scan.at] ?? '')) scan.at++
    else if (!isComment(scan) || !skipComment(scan)) return false
  }
  return true
}
