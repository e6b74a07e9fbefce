const slots = 256
const longest = 80

/** Texts that come again and again, such as keys and types: found by what is written, they are made and kept once. */
export class TextPool {
  /** What is written in each slot: its length, and then as many bytes. */
  readonly #lengths = new Uint8Array(slots)
  readonly #written = new Uint8Array(slots * longest)
  readonly #texts: string[] = new Array(slots).fill('')

  /** The text that stands between two places of a piece, once `parse` has made it of what is written there. */
  read(piece: Buffer, start: number, end: number, parse: (written: string) => string): string {
    const length = end - start
    if (length === 0 || length > longest) return parse(piece.toString('utf8', start, end))
    // A few bytes are enough to tell most texts apart, and those that share a slot only push each other out.
    const [first, middle, last] = [
      piece[start] as number,
      piece[start + (length >> 1)] as number,
      piece[end - 1] as number,
    ]
    const slot = (length * 7 + first * 31 + middle * 13 + last * 5) & (slots - 1)
    if (this.#lengths[slot] === length && this.#isWritten(slot * longest, piece, start, length)) {
      return this.#texts[slot] as string
    }
    const text = parse(piece.toString('utf8', start, end))
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
