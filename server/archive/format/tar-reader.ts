import { unreadable } from '../refusals.ts'

/** A file inside a tar archive. Its content must be read to the end before the next one is asked for. */
export type TarEntry = { readonly name: string; readonly size: number; content(): AsyncGenerator<Buffer> }

const block = 512

/** Programs fill the last record, of at most this size; compressed, zeros without end would cost a sender nothing. */
const mostPadding = 1024 * 1024

/** Reads plain files from a tar archive, one after another, and nothing else: no links, no extensions, no rest. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = new ByteQueue(source)
  for (;;) {
    const head = await bytes.exactly(block)
    if (isZero(head)) break
    const { name, size } = parseHead(head)
    const entry = new OpenEntry(bytes, name, size)
    yield entry
    if (!entry.isRead) throw new Error(`The member '${name}' was not read to its end.`)
    if (size % block > 0) await bytes.exactly(block - (size % block))
  }
  let padding = 0
  for await (const rest of bytes.rest()) {
    padding += rest.length
    if (padding > mostPadding || !isZero(rest)) throw unreadable('bytes follow its end')
  }
}

class OpenEntry implements TarEntry {
  readonly name: string
  readonly size: number
  readonly #bytes: ByteQueue
  isRead = false

  constructor(bytes: ByteQueue, name: string, size: number) {
    this.#bytes = bytes
    this.name = name
    this.size = size
  }

  async *content(): AsyncGenerator<Buffer> {
    for (let left = this.size; left > 0; ) {
      const piece = await this.#bytes.upTo(left)
      left -= piece.length
      yield piece
    }
    this.isRead = true
  }
}

/** Takes pieces of wanted lengths from a stream. */
class ByteQueue {
  readonly #source: AsyncIterator<Buffer>
  #waiting: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async upTo(most: number): Promise<Buffer> {
    if (this.#waiting.length === 0) this.#waiting = await this.#next()
    const taken = this.#waiting.subarray(0, most)
    this.#waiting = this.#waiting.subarray(taken.length)
    return taken
  }

  async exactly(length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let left = length; left > 0; ) {
      const piece = await this.upTo(left)
      parts.push(piece)
      left -= piece.length
    }
    return Buffer.concat(parts, length)
  }

  async *rest(): AsyncGenerator<Buffer> {
    yield this.#waiting
    for (let next = await this.#source.next(); !next.done; next = await this.#source.next()) yield next.value
  }

  async #next(): Promise<Buffer> {
    const { done, value } = await this.#source.next()
    if (done) throw unreadable('it ends too early')
    return value
  }
}

const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0)

const textAt = (head: Buffer, from: number, length: number): string =>
  head.toString('latin1', from, from + length).replace(/\0.*$/s, '')

function parseHead(head: Buffer): { name: string; size: number } {
  const sum = Number.parseInt(textAt(head, 148, 8), 8)
  const found = head.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0)
  if (sum !== found) throw unreadable('a tar header is damaged')
  const name = textAt(head, 0, 100)
  if (!['0', ''].includes(textAt(head, 156, 1))) throw unreadable(`'${name}' is not a plain file`)
  return { name, size: sizeOf(head) }
}

function sizeOf(head: Buffer): number {
  // Sizes of 8 GiB and more are binary, marked by the highest bit.
  const size =
    head.readUInt8(124) === 0x80 ? Number(head.readBigUInt64BE(128)) : Number.parseInt(textAt(head, 124, 12), 8)
  if (Number.isSafeInteger(size) && size >= 0) return size
  throw unreadable('a tar header states no size')
}
