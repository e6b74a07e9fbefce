import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Awaitable } from '../../kernel/awaitable.ts'
import { type Failure, failure } from '../../kernel/failure.ts'
import type { BodyMemory } from './body-memory.ts'

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

/** Where a body lies until its request is answered. */
export type BodyPlace = { readonly bodyMemory: BodyMemory; readonly outgoing: ServerResponse }

/** How much a client may send as a body, and how long it may take. */
export type BodyLimits = { maxBytes: number; deadlineMs: number; place?: BodyPlace | undefined }

/** How much a streamed body may hold, and how long it may pause. */
export type StreamLimits = { maxBytes: number; idleMs: number; place?: BodyPlace | undefined }

const waitingForContinue = new WeakMap<IncomingMessage, ServerResponse>()
const streamedRequests = new WeakSet<IncomingMessage>()

/** Notes a client that sends its body only when told to (RFC 9110 §10.1.1): it is told when somebody wants to read. */
export const awaitContinue = (request: IncomingMessage, response: ServerResponse): void =>
  void waitingForContinue.set(request, response)

/** True if the body is read as a stream, whose length in time nobody can know. */
export const isStreamed = (request: IncomingMessage): boolean => streamedRequests.has(request)

/**
 * The whole body, or a failure: `too-large`, `too-slow`, or `malformed` if the connection broke before its end, or if it
 * comes in too many tiny chunks.
 */
export function readBody(request: IncomingMessage, limits: BodyLimits): Awaitable<Buffer> {
  const length = announcedLength(request)
  if (length === 0) return emptyBody
  if (length !== undefined && length > limits.maxBytes) throw tooLarge(limits.maxBytes)
  return readWhole(request, { ...limits, isRenewed: false })
}

const emptyBody = Buffer.alloc(0)

/** A body that is announced with no more bytes than this is in memory anyway. */
const pieceBytes = 64 * 1024

/**
 * The body piece by piece, for uploads that are not to lie in memory; fails as `readBody` does. Whoever stops in the middle
 * leaves the rest to be thrown away.
 */
export async function* streamBody(request: IncomingMessage, limits: StreamLimits): AsyncGenerator<Buffer, void, void> {
  const length = announcedLength(request)
  if (length === 0) return
  if (length !== undefined && length > limits.maxBytes) throw tooLarge(limits.maxBytes)
  streamedRequests.add(request)
  if (length !== undefined && length <= pieceBytes) {
    yield await readWhole(request, { maxBytes: limits.maxBytes, deadlineMs: limits.idleMs, isRenewed: true })
    return
  }
  sendContinue(request)
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false })
  let size = 0
  try {
    for (let count = 1; ; count++) {
      const next = await withIdleTimeout(request, chunks.next(), limits.idleMs)
      if (next.done === true) return
      size += next.value.length
      if (length === undefined && isScattered(count, size)) throw scattered(request)
      if (size > limits.maxBytes) throw tooLarge(limits.maxBytes)
      if (size > pieceBytes) limits.place?.bodyMemory.take(limits.place.outgoing, next.value.length)
      yield next.value
    }
  } finally {
    // Not waited for: behind a client that pauses it would wait, too.
    void chunks.return?.()
    discardRest(request)
  }
}

/** The limits of a body; if it is renewed, its time begins again with each piece. */
type WholeBodyLimits = BodyLimits & { readonly isRenewed: boolean }

function readWhole(request: IncomingMessage, limits: WholeBodyLimits): Promise<Buffer> {
  sendContinue(request)
  return new Promise((resolve, reject) => collect(request, limits, resolve, reject))
}

function collect(
  request: IncomingMessage,
  limits: WholeBodyLimits,
  resolve: (body: Buffer) => void,
  reject: (reason: Failure) => void,
): void {
  const pieces = new BodyPieces()
  const isChunked = announcedLength(request) === undefined
  const timer = setTimeout(() => fail(giveUpOn(request)), limits.deadlineMs)
  const onData = (chunk: Buffer): void => {
    pieces.add(chunk)
    if (limits.isRenewed) timer.refresh()
    if (pieces.size > limits.maxBytes) fail(tooLarge(limits.maxBytes))
    else if (isChunked && isScattered(pieces.count, pieces.size)) fail(scattered(request))
    else if (pieces.size > pieceBytes && limits.place) takeRoom(limits.place, chunk.length)
  }
  const takeRoom = ({ bodyMemory, outgoing }: BodyPlace, bytes: number): void => {
    try {
      bodyMemory.take(outgoing, bytes)
    } catch (thrown) {
      fail(thrown as Failure)
    }
  }
  const onEnd = (): void => {
    detach()
    resolve(pieces.whole())
  }
  const onClose = (): void => fail(cutOff())
  const detach = (): void => {
    clearTimeout(timer)
    request.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose)
  }
  const fail = (reason: Failure): void => {
    detach()
    discardRest(request)
    reject(reason)
  }
  if (request.destroyed && !request.complete) fail(cutOff())
  else request.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose)
}

async function withIdleTimeout<T>(request: IncomingMessage, next: Promise<T>, idleMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const idle = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(giveUpOn(request)), idleMs)
  })
  try {
    return await Promise.race([next.catch((cause) => Promise.reject(cutOff(cause))), idle])
  } finally {
    clearTimeout(timer)
  }
}

/** Bytes that the head of a request announces; undefined if only the end of the chunks will tell. */
export function announcedLength(request: IncomingMessage): number | undefined {
  if (request.headers['transfer-encoding'] !== undefined) return undefined
  return Number(request.headers['content-length'] ?? 0)
}

function sendContinue(request: IncomingMessage): void {
  waitingForContinue.get(request)?.writeContinue()
  waitingForContinue.delete(request)
}

/** What still comes of the body is thrown away, so that the client gets to read its answer and can go on. */
function discardRest(request: IncomingMessage): void {
  if (request.readableEnded) return
  request.on('error', ignore)
  if (!cutOffRequests.has(request)) request.resume()
}

/** The refusal of a client that is too slow. */
function giveUpOn(request: IncomingMessage): Failure {
  cutOffSoon(request)
  return failure('too-slow', 'body.too-slow', 'The request body took too long to arrive.')
}

/** The refusal of a body in too many pieces, of which nothing more is read. */
function scattered(request: IncomingMessage): Failure {
  cutOffRequests.add(request)
  request.pause()
  cutOffSoon(request)
  return failure('malformed', 'body.scattered', 'The request body comes in too many tiny chunks; send larger ones.')
}

const cutOffRequests = new WeakSet<IncomingMessage>()

/** The client has time to read its refusal; if it still has not sent its body, it is cut off. */
function cutOffSoon(request: IncomingMessage): void {
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy()
  }, answerTimeMs)
  request.socket.once('close', () => clearTimeout(timer))
}

const answerTimeMs = 1_000
const ignore = (): void => undefined

const tooLarge = (maxBytes: number): Failure =>
  failure('too-large', 'body.too-large', `The request body is larger than ${maxBytes} bytes.`)
const cutOff = (cause?: unknown): Failure =>
  failure('malformed', 'body.cut-off', 'The connection ended before the whole request body had arrived.', { cause })
