import { NotJson } from './json-skip.ts'

const slots = 256
const longest = 80

/**
 * Texts that occur again and again, such as keys and types: they are looked up by their bytes, and decoded and kept
 * once.
 */
export class TextPool {
  /** The bytes behind the text in each slot: their length, and the bytes themselves. */
  readonly #lengths = new Uint8Array(slots)
  readonly #written = new Uint8Array(slots * longest)
  readonly #texts: string[] = new Array(slots).fill('')

  /** The text between two positions of a piece; it is parsed only if it is not in the pool. */
  read(piece: Buffer, start: number, end: number): string {
    const length = end - start
    if (length === 0 || length > longest) return parseText(piece.toString('utf8', start, end))
    // A few bytes are enough to distinguish most texts, and texts that share a slot merely replace each other.
    const [first, middle, last] = [
      piece[start] as number,
      piece[start + (length >> 1)] as number,
      piece[end - 1] as number,
    ]
    const slot = (length * 7 + first * 31 + middle * 13 + last * 5) & (slots - 1)
    if (this.#lengths[slot] === length && this.#isWritten(slot * longest, piece, start, length)) {
      return this.#texts[slot] as string
    }
    const text = parseText(piece.toString('utf8', start, end))
    this.#lengths[slot] = length
    for (let index = 0; index < length; index++) this.#written[slot * longest + index] = piece[start + index] as number
    this.#texts[slot] = text
    return text
  }

  #isWritten(at: number, piece: Uint8Array, start: number, length: number): boolean {
    const written = this.#written
    for (let index = 0; index < length; index++) if (written[at + index] !== piece[start + index]) return false
    return true
  }
}

/** What cannot be taken from a text as it is: escapes, and characters that need one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const needsParsing = /[\\\u0000-\u001f]/

/** The text that is written so between its quotes. */
export function parseText(inside: string): string {
  if (!needsParsing.test(inside)) return inside
  try {
    return JSON.parse(`"${inside}"`) as string
  } catch (cause) {
    throw new NotJson('A text is badly written.', { cause })
  }
}
