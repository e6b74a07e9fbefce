/** Pieces below this size are copied together. */
const smallBytes = 1024
const blockBytes = 16 * 1024

/** So many chunks are accepted however small they are. */
const freeChunks = 1_000
const fewestBytes = 32

/**
 * True for a body in very many chunks of a few bytes. Each costs as much as a large one, so a stranger with many connections
 * could keep the process busy with little.
 */
export const isScattered = (chunks: number, bytes: number): boolean =>
  chunks > freeChunks && bytes < chunks * fewestBytes

/**
 * A body as it comes. Small pieces after the first are copied together: each would otherwise keep all the memory alive that
 * was read with it.
 */
export class BodyPieces {
  readonly #pieces: Buffer[] = []
  #block: Buffer | undefined
  #used = 0
  #count = 0
  #size = 0

  /** How many pieces have come. */
  get count(): number {
    return this.#count
  }

  /** Their bytes. */
  get size(): number {
    return this.#size
  }

  add(piece: Buffer): void {
    this.#count += 1
    this.#size += piece.length
    if (this.#count > 1 && piece.length < smallBytes) this.#copy(piece)
    else {
      this.#closeBlock()
      this.#pieces.push(piece)
    }
  }

  /** All of it as one; a single piece as it came. */
  whole(): Buffer {
    this.#closeBlock()
    const [first] = this.#pieces
    return first && this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces, this.#size)
  }

  #copy(piece: Buffer): void {
    if (this.#used + piece.length > blockBytes) this.#closeBlock()
    this.#block ??= Buffer.allocUnsafe(blockBytes)
    this.#used += piece.copy(this.#block, this.#used)
  }

  #closeBlock(): void {
    if (this.#block) this.#pieces.push(this.#block.subarray(0, this.#used))
    this.#block = undefined
    this.#used = 0
  }
}
