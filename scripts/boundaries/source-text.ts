/** Two versions of a source file of equal length, so that a position in one is the same position in the other. */
export type SourceText = {
  /** Comments blanked. */
  text: string
  /** Comments and the insides of strings, templates and regular expressions blanked. */
  code: string
}

/** One import. `typeOnly` imports are removed before the program runs. */
export type Import = { specifier: string; line: number; typeOnly: boolean }

const TOKENS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`|\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//g
/** A slash after one of these begins a regular expression; after anything else it divides. */
const BEFORE_PATTERN = /(?:^|[=(,:;!&|?{}[\]+\-*%<>~^]|\b(?:return|typeof|case|in|of|await|yield|=>))\s*$/

/**
 * Makes the two versions of a source. Good enough for formatted TypeScript, and a hundred times faster than a parser.
 */
export function readSource(source: string): SourceText {
  let text = source
  let code = source
  TOKENS.lastIndex = 0
  for (let match = TOKENS.exec(source); match; match = TOKENS.exec(source)) {
    const begin = match.index
    let token = match[0]
    if (token === '`') token = source.slice(begin, templateEnd(source, begin))
    else if (/^\/[^/*]/.test(token) && !BEFORE_PATTERN.test(code.slice(Math.max(0, begin - 40), begin))) token = '/'
    TOKENS.lastIndex = begin + token.length
    if (token === '/') continue
    const isComment = token.startsWith('//') || token.startsWith('/*')
    if (isComment) text = blank(text, begin, token.length)
    code = isComment ? blank(code, begin, token.length) : blankInside(code, begin, token)
  }
  return { text, code }
}

/** Every module a source imports, for its values or its types, statically or not. */
export function importsOf({ text, code }: SourceText): Import[] {
  return [...code.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])\s*\1/g)].map((match) => {
    const end = match.index + match[0].length - 1
    const begin = code.lastIndexOf(match[1] ?? '', end - 1) + 1
    const statement = code.slice(statementBegin(code, match.index), match.index)
    const typeOnly = /^(import|export) type\b/.test(statement)
    return { specifier: text.slice(begin, end), line: lineAt(code, match.index), typeOnly }
  })
}

/** Formatted code begins each import at the margin. */
function statementBegin(code: string, position: number): number {
  const begins = [code.lastIndexOf('\nimport', position), code.lastIndexOf('\nexport', position)]
  return Math.max(...begins) + 1
}

/** The number of the line that contains a position, counted from one. */
export function lineAt(source: string, position: number): number {
  return source.slice(0, position).split('\n').length
}

function templateEnd(source: string, begin: number): number {
  let depth = 0
  for (let at = begin + 1; at < source.length; at++) {
    const two = source.slice(at, at + 2)
    if (source[at] === '\\') at++
    else if (two === '${') depth++
    else if (source[at] === '}' && depth > 0) depth--
    else if (source[at] === '`' && depth === 0) return at + 1
    else if (source[at] === '`') at = templateEnd(source, at) - 1
  }
  return source.length
}

/** Code inside `${…}` stays readable; the words of a template do not. */
function blankInside(code: string, begin: number, token: string): string {
  if (!token.startsWith('`')) return blank(code, begin + 1, token.length - 2)
  const inside = token.replace(/\$\{(?:[^{}`]|\{[^{}]*\})*\}|[^\n]/g, (part) => (part.length > 1 ? part : ' '))
  return code.slice(0, begin) + inside + code.slice(begin + token.length)
}

function blank(source: string, begin: number, length: number): string {
  const inside = source.slice(begin, begin + length).replace(/[^\n]/g, ' ')
  return source.slice(0, begin) + inside + source.slice(begin + length)
}
