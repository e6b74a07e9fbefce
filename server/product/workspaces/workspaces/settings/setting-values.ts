import { RE2JS } from 're2js'

/** Steps a compiled expression may have, roughly; nested counts such as `(a{99}){99}` multiply. */
const maxSteps = 2_000

type Reading = { readonly sums: number[]; last: number }

/**
 * True if an expression stays small when its counted repetitions are expanded, as compiling does. This is only an
 * estimate: whether the expression is valid is decided by the compiler.
 */
export function isSmallExpression(expression: string): boolean {
  const reading: Reading = { sums: [0], last: 0 }
  let at = 0
  while (at < expression.length) {
    at = step(expression, at, reading)
    if (reading.sums.some((sum) => sum > maxSteps)) return false
  }
  return reading.sums.reduce((all, sum) => all + sum, 0) <= maxSteps
}

/** Reads one atom, group end or count; returns where to continue. */
function step(expression: string, at: number, reading: Reading): number {
  const char = expression[at]
  if (char === '(') {
    reading.sums.push(0)
    return at + 1
  }
  if (char === ')') {
    reading.last = Math.max(1, reading.sums.length > 1 ? (reading.sums.pop() ?? 1) : 1)
    return addSize(reading, reading.last, at + 1)
  }
  const counted = char === '{' ? /^\{(\d{1,5})(?:,(\d{0,5}))?\}/.exec(expression.slice(at, at + 16)) : null
  if (counted) {
    const times = Math.max(1, Number(counted[1]), Number(counted[2] ?? 0))
    const more = reading.last * (times - 1)
    reading.last += more
    return addSize(reading, more, at + counted[0].length)
  }
  reading.last = 1
  return addSize(reading, 1, atomEnd(expression, at))
}

function addSize(reading: Reading, size: number, next: number): number {
  const top = reading.sums.length - 1
  reading.sums[top] = (reading.sums[top] ?? 0) + size
  return next
}

/** Escapes such as `\x{10FFFF}` and classes such as `[{}]` are one atom; braces inside them are not counts. */
function atomEnd(expression: string, at: number): number {
  const rest = expression.slice(at, at + 256)
  const atom = /^\\(?:[pPx]\{[^}]*\}|.)|^\[\^?\]?(?:\\.|\[:[^\]]*:\]|[^\]\\])*\]/s.exec(rest)
  return at + (atom ? atom[0].length : 1)
}

const namePattern = /^[A-Za-z0-9_-]+$/

/** What is wrong with a name; blank ones have been refused before. */
export const workspaceNameProblem = (name: string): string | undefined =>
  namePattern.test(name) ? undefined : 'may contain only letters, numbers, "-" and "_"'

/** What is wrong with the identifier of a repository, which is `a/b`, with nested groups, or `a/b/_git/c`. */
export function identifierProblem(identifier: string): string | undefined {
  const parts = identifier.split('/')
  const wellFormed = parts.length >= 2 && parts.length <= 20 && parts.every(isSegment)
  return wellFormed ? undefined : 'has an invalid format; it must be ":org/:repo" or ":org/:project/_git/:repo"'
}

const isSegment = (part: string): boolean => /^[\w.~-][\w.~ -]*$/.test(part) && part !== '.' && part !== '..'

/** The longest pattern, prefix or expression; anything longer is a mistake or an attack. */
export const longestPattern = 1_024

/** The most patterns or prefixes of a workspace, and the most characters of them together. */
export const maxPatterns = 1_000
const maxTotalLength = 65_536

/**
 * What is wrong with a list of patterns or prefixes. It is limited because every answer with the workspace contains it.
 */
export const patternsProblem = (patterns: readonly string[]): string | undefined =>
  patterns.reduce((sum, { length }) => sum + length, 0) > maxTotalLength
    ? `may have at most ${maxTotalLength} characters in all`
    : undefined

/** The deepest nesting of brackets in a glob, so that no pattern expands without limit. */
const deepestNesting = 8

/** What is wrong with a path inside a repository. */
export const relativePathProblem = (path: string): string | undefined =>
  path.split(/[\\/]/).includes('..') || hasControl(path) ? 'must be a relative path inside the repository' : undefined

const hasControl = (text: string): boolean => /\p{Cc}/u.test(text)

/** What is wrong with a glob pattern. It is parsed once and not compiled: compilers take long for some patterns. */
export const globProblem = (pattern: string): string | undefined =>
  pattern === '' || hasControl(pattern) || pattern.split('/').includes('..') || !isBalanced(pattern)
    ? 'is not a valid glob'
    : undefined

const closingBrackets: Readonly<Record<string, string>> = { '{': '}', '(': ')' }

function isBalanced(pattern: string): boolean {
  const open: string[] = []
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] as string
    if (char === '\\') at++
    else if (char === open.at(-1)) open.pop()
    else if (char === '[') {
      characterClass.lastIndex = at
      if (!characterClass.test(pattern)) return false
      at = characterClass.lastIndex - 1
    } else if (char in closingBrackets) open.push(closingBrackets[char] as string)
    else if (char === ']' || char === '}' || char === ')') return false
    if (open.length > deepestNesting) return false
  }
  return open.length === 0
}

/** A bracket right after the opening one, or after its negation, is a member of the class; so is `[:alpha:]`. */
const characterClass = /\[(?:[!^]?\]|(?![!^]?\]))(?:\[:\w+:\]|\\.|[^\]\\])*\]/y

/** What is wrong with a regular expression; RE2 takes time linear in the input, whatever the expression. */
export function regexProblem(expression: string): string | undefined {
  if (!isSmallExpression(expression)) return 'is not a valid regular expression: its repetitions are too many'
  try {
    if (expression !== '') RE2JS.compile(expression)
    return undefined
  } catch (error) {
    if (error instanceof Error) return 'is not a valid regular expression'
    throw error
  }
}

/** What is wrong with the address of a web page. */
export const webUrlProblem = (text: string): string | undefined =>
  // The parser skips line breaks, and slashes before the host, so that what is shown would be another URL.
  /^https?:\/\/[^/\\\s]\P{Cc}*$/iu.test(text) && URL.canParse(text) ? undefined : 'must be a URL'
