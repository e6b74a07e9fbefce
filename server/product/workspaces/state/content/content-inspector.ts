import { createHash } from 'node:crypto'
import { type ContentInfo, unreadFinding } from './content-inspection.ts'
import type { ContentKind } from './content-urls.ts'
import { OutlineReader } from './outline-thread.ts'

/** Examines a large file as it passes through; the contents of a state are read in another thread meanwhile. */
export class ContentInspector {
  readonly #md5 = createHash('md5')
  readonly #outline: OutlineReader | undefined
  #size = 0

  constructor(kind: ContentKind) {
    this.#outline = kind === 'state' ? new OutlineReader() : undefined
  }

  /**
   * Passes the pieces on. Each must be used before the next one is asked for: its memory then goes to another thread.
   */
  async *through(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of source) {
      this.#size += bytes.length
      this.#md5.update(bytes)
      yield bytes
      await this.#outline?.push(bytes)
    }
  }

  /** What was found out; called after the last piece. */
  async end(): Promise<ContentInfo> {
    const finding = (await this.#outline?.end()) ?? unreadFinding
    return { size: this.#size, md5: this.#md5.digest('hex'), finding }
  }

  /** Stops reading. */
  close(): void {
    this.#outline?.close()
  }
}
