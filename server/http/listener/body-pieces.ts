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
 * was read with it. Large ones between them do not end a block, of which little would be used then.
 */
export class BodyPieces {
  readonly #pieces: Buffer[] = []
  #block: Buffer | undefined
  /** Where the newest run of small pieces begins and ends in the block. */
  #begin = 0
  #end = 0
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
      this.#endRun()
      this.#pieces.push(piece)
    }
  }

  /** All of it as one; a single piece as it came. */
  whole(): Buffer {
    this.#endRun()
    const [first] = this.#pieces
    return first && this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces, this.#size)
  }

  #copy(piece: Buffer): void {
    if (!this.#block || this.#end + piece.length > blockBytes) {
      this.#endRun()
      this.#block = Buffer.allocUnsafe(blockBytes)
      this.#begin = 0
      this.#end = 0
    }
    this.#end += piece.copy(this.#block, this.#end)
  }

  #endRun(): void {
    if (this.#block && this.#end > this.#begin) this.#pieces.push(this.#block.subarray(this.#begin, this.#end))
    this.#begin = this.#end
  }
}
