/** A part of a line that looks the same from its beginning to its end. */
export type Piece = { readonly text: string; readonly tone?: Tone; readonly isStrong?: boolean }

type Tone = 'bad' | 'ok' | 'warn' | 'accent' | 'soft'

/** What the colours of terminals are on these pages. */
const tones: Readonly<Record<number, Tone>> = { 1: 'bad', 2: 'ok', 3: 'warn', 4: 'accent', 5: 'accent', 6: 'accent' }

// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals are told begins with one.
const control = /\x1b\[([\d;]*)([A-Za-z])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x08\x0b-\x1f\x7f]/g

/** The pieces of a line. Colours and bold stay; all else that terminals are told is left out. */
export function piecesOf(line: string): readonly Piece[] {
  const pieces: Piece[] = []
  let look: Omit<Piece, 'text'> = {}
  let at = 0
  const add = (text: string) => text !== '' && pieces.push({ ...look, text })
  for (const found of line.matchAll(control)) {
    add(line.slice(at, found.index))
    at = found.index + found[0].length
    if (found[2] === 'm') look = lookAfter(look, found[1] ?? '')
  }
  add(line.slice(at))
  return pieces
}

function lookAfter(look: Omit<Piece, 'text'>, codes: string): Omit<Piece, 'text'> {
  let { tone, isStrong } = look
  const given = codes.split(';').map(Number)
  // 38 and 48 take what follows them: colours that nobody here has.
  if (given.includes(38) || given.includes(48)) return look
  for (const code of given) {
    if (code === 0) [tone, isStrong] = [undefined, undefined]
    else if (code === 1) isStrong = true
    else if (code === 2) tone = 'soft'
    else if (code === 22) isStrong = undefined
    else if (code === 39) tone = undefined
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) tone = tones[code % 10]
  }
  return { ...(tone && { tone }), ...(isStrong && { isStrong }) }
}

/** Lines of a log that stand together: a single one, or many that only say that something still goes on. */
export type Block = { readonly first: number; readonly lines: readonly string[]; readonly about?: string }

const stillGoesOn = /: Still (\w+)\.\.\./
const fewest = 6
const blockLines = 200

/** The lines of a log in blocks, counted from `first`; runs of lines that say the same fold. */
export function blocksOf(lines: readonly string[], first = 1): readonly Block[] {
  const blocks: { first: number; lines: string[]; about?: string }[] = []
  let at = 0
  while (at < lines.length) {
    const about = stillGoesOn.exec(lines[at] ?? '')?.[1]
    let end = at + 1
    while (end < lines.length && about !== undefined && stillGoesOn.test(lines[end] ?? '')) end++
    const last = blocks.at(-1)
    if (about !== undefined && end - at >= fewest)
      blocks.push({ first: first + at, lines: lines.slice(at, end), about: `Still ${about}` })
    else if (last && last.about === undefined && last.lines.length < blockLines)
      last.lines.push(...lines.slice(at, end))
    else blocks.push({ first: first + at, lines: lines.slice(at, end) })
    at = end
  }
  return blocks
}

/** A line as people read it: of an event that the tool writes as JSON, its message. */
export function readable(line: string): string {
  if (!line.startsWith('{"@level"')) return line
  try {
    const { '@message': message } = JSON.parse(line) as { '@message'?: unknown }
    return typeof message === 'string' ? message : line
  } catch {
    return line
  }
}
