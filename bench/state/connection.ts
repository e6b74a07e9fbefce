import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { requestBytes } from '../harness/raw-load.ts'

/** A request, and the callback for the pieces of its answer; a piece is valid only during the call. */
export type OutgoingRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Buffer | undefined
  onPiece(piece: Buffer): void
}

type Answer = { readonly status: number; readonly hasContent: boolean; left: number }

/**
 * A connection that sends one request after another. It always reads into the same buffer: allocating and collecting
 * buffers for large answers would take more time than the server that sends them.
 */
export class Connection {
  readonly #socket: Socket
  #head = Buffer.alloc(0)
  #answer: Answer | undefined
  #take: (piece: Buffer) => void = () => undefined
  #outcome = Promise.withResolvers<number>()

  private constructor(port: number) {
    const onread = {
      buffer: Buffer.alloc(256 * 1024),
      callback: (size: number, memory: Uint8Array): boolean => {
        this.#read(Buffer.from(memory.buffer, memory.byteOffset, size))
        return true
      },
    }
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true, onread })
    this.#socket.on('error', (error) => this.#outcome.reject(error))
    this.#socket.on('close', () => this.#outcome.reject(new Error('The server closed a connection.')))
  }

  static async open(port: number): Promise<Connection> {
    const connection = new Connection(port)
    connection.#outcome.promise.catch(() => undefined)
    await once(connection.#socket, 'connect')
    return connection
  }

  /** True once the server has closed it. */
  get isClosed(): boolean {
    return this.#socket.destroyed || this.#socket.readableEnded
  }

  /** Sends a request and returns its status once the whole answer has arrived. */
  send({ method, path, headers, body, onPiece }: OutgoingRequest): Promise<number> {
    const length: Record<string, string> = body ? { 'content-length': String(body.length) } : {}
    this.#take = onPiece
    this.#outcome = Promise.withResolvers()
    this.#socket.write(requestBytes(method, path, { ...headers, ...length }))
    if (body) this.#socket.write(body)
    return this.#outcome.promise
  }

  #read(bytes: Buffer): void {
    const body = this.#answer ? bytes : this.#readHead(bytes)
    if (!this.#answer || !body) return
    if (body.length > 0 && this.#answer.hasContent) this.#take(body)
    this.#answer.left -= body.length
    if (this.#answer.left > 0) return
    const { status } = this.#answer
    this.#answer = undefined
    this.#outcome.resolve(status)
  }

  /** What follows the head, once that has arrived. */
  #readHead(bytes: Buffer): Buffer | undefined {
    const all = Buffer.concat([this.#head, bytes])
    const end = all.indexOf('\r\n\r\n')
    this.#head = end < 0 ? all : Buffer.alloc(0)
    if (end < 0) return undefined
    const head = all.toString('latin1', 0, end)
    const status = Number(head.slice(9, 12))
    const length = /content-length: *(\d+)/i.exec(head)?.[1]
    // Without a length there is no content: nothing at all, or the mark that ends a list of no chunks.
    const none = /transfer-encoding/i.test(head) ? '0\r\n\r\n'.length : 0
    this.#answer = { status, hasContent: length !== undefined, left: length === undefined ? none : Number(length) }
    return all.subarray(end + 4)
  }
}
