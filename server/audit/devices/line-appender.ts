import { writeSync } from 'node:fs'
import type { LineGroup } from '../../crypto/line-chains/line-chain.ts'

const lineFeed = 10

/** Ends a line that was cut off. With it no such line passes for a whole one. */
const tornEnd = Buffer.from(' (torn)\n')

/** Appends groups of lines to a file. What a full disk cuts off never runs into the line after it. */
export class LineAppender {
  #torn: boolean

  /** `torn`: the file ends inside a line. */
  constructor(torn = false) {
    this.#torn = torn
  }

  /** Writes a group, or throws: then it is not there as a whole. */
  append(file: number, { room, length }: LineGroup): void {
    let written = 0
    try {
      if (this.#torn) endLine(file)
      this.#torn = false
      while (written < length) written += writeSync(file, room, written, length - written)
    } finally {
      if (written > 0) this.#torn = room[written - 1] !== lineFeed
    }
  }
}

/** On a full disk the end may fit by half; then the line is ended once more. */
function endLine(file: number): void {
  for (let written = 0; written < tornEnd.length; ) written += writeSync(file, tornEnd, written)
}
