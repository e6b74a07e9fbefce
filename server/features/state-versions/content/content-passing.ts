import { createHash, hash } from 'node:crypto'
import { textOf } from '../../../kernel/failure.ts'
import { JsonScanner, NotJson, type Reading } from '../analysis/json-scan.ts'

/** What is learned of a file while it is stored. */
export type Learned = {
  readonly size: number
  readonly md5: string
  /** The parts of the JSON document that were not pruned; what is no JSON is told in `broken`. */
  readonly document: unknown
  readonly broken: string | undefined
}

/** Reads the outline of a document, if one is wanted: a rendering is stored as it is. */
class Outline {
  readonly #scanner: JsonScanner | undefined
  #broken: string | undefined

  constructor(reading: Reading | undefined) {
    this.#scanner = reading && new JsonScanner(reading)
  }

  push(bytes: Uint8Array): void {
    if (this.#broken === undefined) this.#scan((scanner) => scanner.push(bytes))
  }

  end(): Pick<Learned, 'document' | 'broken'> {
    const document = this.#broken === undefined ? this.#scan((scanner) => scanner.end()) : undefined
    return { document, broken: this.#broken }
  }

  #scan<T>(read: (scanner: JsonScanner) => T): T | undefined {
    try {
      return this.#scanner && read(this.#scanner)
    } catch (error) {
      if (!(error instanceof NotJson)) throw error
      this.#broken = textOf(error)
      return undefined
    }
  }
}

/** Learns of a file that is at hand. */
export function learnOf(bytes: Buffer, reading: Reading | undefined): Learned {
  const outline = new Outline(reading)
  outline.push(bytes)
  return { size: bytes.length, md5: hash('md5', bytes), ...outline.end() }
}

/** Learns of a file as it passes by. */
export class Passing {
  readonly #md5 = createHash('md5')
  readonly #outline: Outline
  #size = 0

  constructor(reading: Reading | undefined) {
    this.#outline = new Outline(reading)
  }

  async *through(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of source) {
      this.#size += bytes.length
      this.#md5.update(bytes)
      this.#outline.push(bytes)
      yield bytes
    }
  }

  /** What was learned, after the last piece. */
  end(): Learned {
    return { size: this.#size, md5: this.#md5.digest('hex'), ...this.#outline.end() }
  }
}
