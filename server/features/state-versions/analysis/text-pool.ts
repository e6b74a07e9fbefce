const slots = 512
const longest = 80

/** Texts that come again and again, such as keys and types: found by their bytes, they are made and kept once. */
export class TextPool {
  readonly #bytes: (Uint8Array | undefined)[] = new Array(slots)
  readonly #texts: string[] = new Array(slots)

  /** The text that stands between two places of a piece, once `parse` has made it of what is written there. */
  read(piece: Buffer, start: number, end: number, parse: (written: string) => string): string {
    const length = end - start
    if (length > longest) return parse(piece.toString('utf8', start, end))
    let hash = length
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (piece[at] as number)) | 0
    const slot = (hash ^ (hash >>> 9)) & (slots - 1)
    const known = this.#bytes[slot]
    if (known?.length === length && isSame(known, piece, start)) return this.#texts[slot] as string
    const text = parse(piece.toString('utf8', start, end))
    this.#bytes[slot] = Uint8Array.prototype.slice.call(piece, start, end)
    this.#texts[slot] = text
    return text
  }
}

function isSame(known: Uint8Array, piece: Uint8Array, start: number): boolean {
  for (let index = 0; index < known.length; index++) {
    if (known[index] !== piece[start + index]) return false
  }
  return true
}
