import { stripVTControlCharacters } from 'node:util'
import { CliFailure, type Io, type Keyboard } from '../io.ts'

/** A secret: from a terminal one line, which is not shown; otherwise all of standard input. */
export async function readSecret(io: Io, name: string): Promise<string> {
  const { keyboard } = io
  if (!keyboard) return await io.readInput()
  keyboard.setRawMode(true)
  try {
    io.err(`${name} (not shown): `)
    return await readTypedLine(keyboard)
  } finally {
    keyboard.setRawMode(false)
    io.err('\n')
  }
}

const lineEnds = '\r\n\x04'
const interrupt = '\x03'
const rubouts = '\x7f\b'
const eraseLine = '\x15'

async function readTypedLine(keyboard: Keyboard): Promise<string> {
  let line: string[] = []
  keyboard.setEncoding('utf8')
  for await (const piece of keyboard.iterator({ destroyOnReturn: false })) {
    // Without arrow keys, and what some terminals put around pasted text.
    const keys = [...stripVTControlCharacters(String(piece))]
    for (const [at, key] of keys.entries()) {
      if (lineEnds.includes(key)) return completeLine(line, keys.slice(at + 1))
      if (key === interrupt) throw new CliFailure('', 130)
      if (rubouts.includes(key)) line.pop()
      else if (key === eraseLine) line = []
      else if (key >= ' ') line.push(key)
    }
  }
  return completeLine(line, [])
}

/** What follows was pasted along with the line. Its beginning alone is not what was meant. */
function completeLine(line: readonly string[], rest: readonly string[]): string {
  if (rest.join('').trim() !== '')
    throw new CliFailure('Only one line can be entered here. Give a longer text as @file.')
  if (line.length === 0) throw new CliFailure('Nothing was entered.')
  return line.join('')
}
