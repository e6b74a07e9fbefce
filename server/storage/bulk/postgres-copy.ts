import { once } from 'node:events'
import type { Socket } from 'node:net'
import type pg from 'pg'

/** What the driver's connection offers beyond its published types. */
type Wire = {
  readonly stream: Socket
  query(text: string): void
  sendCopyFromChunk(chunk: Uint8Array): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** Bytes that may wait in memory before the sender is held back. */
const mostWaiting = 1024 * 1024

/** What both directions share: the driver hands the messages of the running query to these methods. */
abstract class Copy {
  readonly #sql: string
  #wire: Wire | undefined
  readonly #ended = Promise.withResolvers<void>()

  constructor(sql: string) {
    this.#sql = sql
    // Whoever reads or writes learns of a failure there; a second, unheard rejection must not end the process.
    this.#ended.promise.catch(() => undefined)
  }

  /** Resolves when the server has finished the statement. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  protected get wire(): Wire {
    if (!this.#wire) throw new Error('The copy has not been sent yet.')
    return this.#wire
  }

  submit(connection: unknown): void {
    this.#wire = connection as Wire
    this.#wire.query(this.#sql)
  }

  handleCommandComplete(): void {
    // The server may still fail; only the message after this one ends the statement.
  }

  handleReadyForQuery(): void {
    this.#ended.resolve()
  }

  handleError(error: Error): void {
    this.#ended.reject(error)
  }

  /** Sends the statement over a client. */
  protected send(client: pg.ClientBase): void {
    client.query(this as unknown as pg.Submittable)
  }
}

/** `PGCOPY`, flags and the length of an extension, which is always zero: what begins a binary copy. */
export const copyHeader: Buffer = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])

/** What ends a binary copy. */
export const copyTrailer: Buffer = Buffer.from([0xff, 0xff])

/**
 * Rows on their way from the driver, which uses its own buffer again for the next message, to whoever takes them: copied at
 * once, in turns into two buffers. What was taken is good until more is.
 */
export class CopiedRows {
  #filling: Buffer = Buffer.allocUnsafeSlow(2 * mostWaiting)
  #spare: Buffer = Buffer.allocUnsafeSlow(2 * mostWaiting)
  #bytes = 0

  /** Bytes that were not taken yet. */
  get bytes(): number {
    return this.#bytes
  }

  add(row: Buffer): void {
    const needed = this.#bytes + row.length
    if (needed > this.#filling.length) this.#grow(needed)
    this.#filling.set(row, this.#bytes)
    this.#bytes = needed
  }

  take(): Buffer {
    const taken = this.#filling.subarray(0, this.#bytes)
    ;[this.#filling, this.#spare] = [this.#spare, this.#filling]
    this.#bytes = 0
    return taken
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#filling.length * 2))
    this.#filling.copy(grown, 0, 0, this.#bytes)
    this.#filling = grown
  }
}

/** `COPY … TO STDOUT (FORMAT binary)`: whole rows as they come, with the server held back when nobody takes them. */
export class CopyOut extends Copy implements AsyncIterable<Buffer> {
  readonly #rows: CopiedRows
  #wake = Promise.withResolvers<void>()
  #isBegun = false
  #isOver = false

  /** Begins to copy. Callers that copy often pass the same memory again, once they are done with the rows in it. */
  static start(client: pg.ClientBase, sql: string, rows: CopiedRows = new CopiedRows()): CopyOut {
    const copy = new CopyOut(sql, rows)
    copy.send(client)
    copy.ended.then(
      () => copy.#finish(),
      () => copy.#finish(),
    )
    return copy
  }

  private constructor(sql: string, rows: CopiedRows) {
    super(sql)
    this.#rows = rows
  }

  /** A message holds one row; the first has what begins a copy before it, and the last is what ends it. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const row = this.#isBegun ? chunk : chunk.subarray(copyHeader.length)
    this.#isBegun = true
    if (row.equals(copyTrailer)) return
    this.#rows.add(row)
    if (this.#rows.bytes > mostWaiting) this.wire.stream.pause()
    this.#wake.resolve()
  }

  #finish(): void {
    this.#isOver = true
    this.#wake.resolve()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#rows.bytes === 0 && this.#isOver) break
      await this.#wake.promise
      this.#wake = Promise.withResolvers()
      if (this.#isOver) this.#wake.resolve()
      if (this.#rows.bytes > 0) yield this.#take()
    }
    await this.ended
  }

  #take(): Buffer {
    const taken = this.#rows.take()
    this.wire.stream.resume()
    return taken
  }
}

/** `COPY … FROM STDIN`: bytes as they are given, waiting for the server when it is slow. */
export class CopyIn extends Copy {
  readonly #ready = Promise.withResolvers<void>()

  /** Begins to copy; resolves when the server takes bytes. */
  static async start(client: pg.ClientBase, sql: string): Promise<CopyIn> {
    const copy = new CopyIn(sql)
    copy.send(client)
    await Promise.race([copy.#ready.promise, copy.ended])
    return copy
  }

  handleCopyInResponse(): void {
    this.#ready.resolve()
  }

  async write(bytes: Buffer): Promise<void> {
    const { stream } = this.wire
    this.wire.sendCopyFromChunk(bytes)
    if (stream.writableLength > mostWaiting) await Promise.race([once(stream, 'drain'), this.ended])
  }

  /** Ends the copy; resolves when the server has taken everything. */
  async finish(): Promise<void> {
    this.wire.endCopyFrom()
    await this.ended
  }

  /** Gives up: the server drops what it was given. */
  async fail(reason: string): Promise<void> {
    this.wire.sendCopyFail(reason)
    await this.ended.catch(() => undefined)
  }
}
